import { once } from 'node:events'
import { buildErrorBody, buildMeta, type ServiceError, type Warning } from '@subtext/contracts'
import type { Response } from 'express'
import type { ApiContext } from '../context.ts'

/** What a handler may answer: data for the envelope, the envelope's data as ready JSON text, or a document of its own. */
export type Reply = { headers?: Record<string, string>; warnings?: Warning[] } & (
  | { data: unknown }
  | { jsonData: AsyncIterable<string> }
  | { document: AsyncIterable<string>; mediaType: string }
)

export const requestIdOf = (response: Response): string => response.getHeader('X-Request-Id') as string

const JSON_TYPE = 'application/json; charset=utf-8'

export async function sendReply(ctx: ApiContext, response: Response, status: number, reply: Reply): Promise<void> {
  response.status(status)
  for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value)
  if ('document' in reply) {
    response.setHeader('Content-Type', `${reply.mediaType}; charset=utf-8`)
    await stream(response, reply.document)
    return
  }
  response.setHeader('Content-Type', JSON_TYPE)
  const meta = buildMeta(requestIdOf(response), ctx.clock(), reply.warnings ?? [])
  if ('data' in reply) response.end(JSON.stringify({ success: true, data: reply.data, meta }))
  else await stream(response, envelope(reply.jsonData, JSON.stringify(meta)))
}

async function* envelope(data: AsyncIterable<string>, meta: string): AsyncIterable<string> {
  yield '{"success":true,"data":'
  yield* data
  yield `,"meta":${meta}}`
}

/** A reader that takes nothing for so long will not come back for the rest. */
const STALLED_READER_MS = 60_000

/** Writes as fast as the reader takes it, so that a slow one does not make us hold a long transcript. */
async function stream(response: Response, pieces: AsyncIterable<string>): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  response.setTimeout(STALLED_READER_MS, () => response.destroy())
  for await (const piece of pieces) {
    if (gone.signal.aborted) return
    if (!response.write(piece)) await once(response, 'drain', { signal: gone.signal }).catch(() => {}) // reader left
  }
  response.end()
}

export function sendError(ctx: ApiContext, response: Response, error: ServiceError): void {
  if (error.retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(error.retryAfterSeconds))
  if (error.status === 401) response.setHeader('WWW-Authenticate', 'Bearer')
  response.status(error.status).setHeader('Content-Type', JSON_TYPE)
  const meta = buildMeta(requestIdOf(response), ctx.clock(), [])
  response.end(JSON.stringify({ success: false, error: buildErrorBody(error, ctx.http.publicBaseUrl), meta }))
}
