import { buildErrorBody, buildMeta, contentType, FORMATS, type ServiceError, type Warning } from '@subtext/contracts'
import { streamJson, writeJson } from '@subtext/render'
import type { Response } from 'express'
import fresh from 'fresh'
import type { ApiContext } from '../context.ts'

/**
 * What a handler may answer: data for the envelope, the envelope's data as ready JSON text, a document of its own, the
 * failure of what was made (a refusal, which has made nothing, is thrown), or a stream that sees to everything itself; what
 * that throws before its first byte is answered as any other error.
 */
export type Reply = { headers?: Record<string, string>; warnings?: Warning[] } & (
  | { data: unknown }
  | { jsonData: AsyncIterable<string> }
  | { document: AsyncIterable<string>; mediaType: string }
  | { failure: ServiceError }
  | { stream: (response: Response) => Promise<void> }
)

export const requestIdOf = (response: Response): string => response.getHeader('X-Request-Id') as string

const JSON_TYPE = contentType(FORMATS.default.mediaType)

export async function sendReply(ctx: ApiContext, response: Response, status: number, reply: Reply): Promise<void> {
  response.status(status)
  for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value)
  if (isKept(response)) {
    // A cache takes over the headers of this answer, so they are all those of the whole one.
    response.status(304).vary('Accept-Encoding').end()
    return
  }
  if ('stream' in reply) return reply.stream(response)
  if ('failure' in reply) return sendError(ctx, response, reply.failure)
  if ('document' in reply) {
    response.setHeader('Content-Type', contentType(reply.mediaType))
    await stream(response, reply.document)
    return
  }
  const meta = buildMeta(requestIdOf(response), ctx.clock(), reply.warnings ?? [])
  if ('data' in reply) {
    endWithJson(response, { success: true, data: reply.data, meta })
    return
  }
  response.setHeader('Content-Type', JSON_TYPE)
  await stream(response, writeJson({ success: true, data: streamJson(reply.jsonData), meta }))
}

function endWithJson(response: Response, value: unknown): void {
  const body = Buffer.from(JSON.stringify(value))
  // Compression sends the headers ahead of the body, and takes the length out where it changes it.
  response.setHeader('Content-Type', JSON_TYPE).setHeader('Content-Length', body.length).end(body)
}

/** The caller has this very representation already (RFC 9110, section 13.1.2). */
const isKept = (response: Response): boolean =>
  ['GET', 'HEAD'].includes(response.req.method) &&
  response.hasHeader('ETag') &&
  fresh(response.req.headers, { etag: String(response.getHeader('ETag')) })

/** A reader that takes nothing for so long will not come back for the rest. */
const STALLED_READER_MS = 60_000

/** Writes as fast as the reader takes it, so that a slow one does not make us hold a long transcript. */
async function stream(response: Response, pieces: AsyncIterable<string>): Promise<void> {
  if (response.req.method === 'HEAD') {
    response.end()
    return
  }
  let gone = response.destroyed
  let goOn = (): void => {}
  // Compression hands 'drain' on from its own stream, where a listener cannot be removed: one for the whole answer.
  response.on('drain', () => goOn())
  response.once('close', () => {
    gone = true
    goOn()
  })
  response.setTimeout(STALLED_READER_MS, () => response.destroy())
  for await (const piece of pieces) {
    if (!gone && !response.write(piece)) {
      await new Promise<void>((resolve) => {
        goOn = resolve
      })
    }
    if (gone) return
  }
  response.end()
}

export function sendError(ctx: ApiContext, response: Response, error: ServiceError): void {
  if (error.retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(error.retryAfterSeconds))
  if (error.status === 401) response.setHeader('WWW-Authenticate', 'Bearer')
  const meta = buildMeta(requestIdOf(response), ctx.clock(), [])
  response.status(error.status)
  endWithJson(response, { success: false, error: buildErrorBody(error, ctx.http.publicBaseUrl), meta })
}
