import { buildErrorBody, buildMeta, contentType, FORMATS, type ServiceError, type Warning } from '@subtext/contracts'
import { streamJson, writeJson } from '@subtext/render'
import type { Response } from 'express'
import fresh from 'fresh'
import type { ApiContext } from '../context.ts'
import { compressText } from './compress.ts'

/**
 * What a handler returns: data for the envelope, the envelope's data as JSON text or a document (both in pieces or as bytes), a
 * file that is made only if the caller has no copy, the failure of a job that was created (a refusal, which has created
 * nothing, is thrown instead), or a stream that writes the response itself. An error that a stream throws before its first byte
 * is handled like any other.
 */
export type Reply = { headers?: Record<string, string>; warnings?: Warning[] } & (
  | { data: unknown }
  | { jsonData: AsyncIterable<string> | Buffer }
  | { document: AsyncIterable<string> | Buffer; mediaType: string }
  | { file: () => Promise<Uint8Array>; mediaType: string }
  | { failure: ServiceError }
  | { stream: (response: Response) => Promise<void> }
)

export const requestIdOf = (response: Response): string => String(response.getHeader('X-Request-Id'))

const JSON_TYPE = contentType(FORMATS.default.mediaType)

export async function sendReply(ctx: ApiContext, response: Response, status: number, reply: Reply): Promise<void> {
  response.status(status)
  const restoreHeaders = replaceHeaders(response, reply.headers ?? {})
  if (isNotModified(response)) {
    // A cache updates its copy with these headers, so they must be those of the full response.
    response.status(304).vary('Accept-Encoding').end()
    return
  }
  if ('stream' in reply) return reply.stream(response)
  if ('failure' in reply) return sendError(ctx, response, reply.failure)
  if ('document' in reply) {
    const { document } = reply
    return streamText(response, contentType(reply.mediaType), Buffer.isBuffer(document) ? [document] : document)
  }
  if ('file' in reply) return sendFile(response, reply, restoreHeaders)
  const meta = buildMeta(requestIdOf(response), ctx.clock(), reply.warnings ?? [])
  if ('data' in reply) return endWithJson(response, { success: true, data: reply.data, meta })
  const { jsonData } = reply
  const text = Buffer.isBuffer(jsonData)
    ? [BEFORE_DATA, jsonData, Buffer.from(`,"meta":${JSON.stringify(meta)}}`)]
    : writeJson({ success: true, data: streamJson(jsonData), meta })
  return streamText(response, JSON_TYPE, text)
}

const BEFORE_DATA = Buffer.from('{"success":true,"data":')

/** Sets headers. Returns a function that gives them their former values. */
function replaceHeaders(response: Response, headers: Record<string, string>): () => void {
  const former = Object.keys(headers).map((name) => [name, response.getHeader(name)] as const)
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  return () => {
    for (const [name, value] of former) {
      if (value === undefined) response.removeHeader(name)
      else response.setHeader(name, value)
    }
  }
}

async function sendFile(
  response: Response,
  { file, mediaType }: Extract<Reply, { file: unknown }>,
  restoreHeaders: () => void,
): Promise<void> {
  if (response.req.method === 'HEAD') {
    response.setHeader('Content-Type', mediaType).end()
    return
  }
  const bytes = await file().catch((error: unknown) => {
    // They describe the file, not the error that takes its place.
    restoreHeaders()
    throw error
  })
  response.setHeader('Content-Type', mediaType).setHeader('Content-Length', bytes.length).end(bytes)
}

function endWithJson(response: Response, value: unknown): void {
  const body = JSON.stringify(value)
  const bytes = Buffer.byteLength(body)
  compressText(response, bytes)
  // Node.js sends a string in the same packet as the headers, and a buffer after them.
  response.setHeader('Content-Type', JSON_TYPE).setHeader('Content-Length', bytes).end(body)
}

/** Returns whether the caller already has this representation (RFC 9110, section 13.1.2). */
const isNotModified = (response: Response): boolean =>
  ['GET', 'HEAD'].includes(response.req.method) &&
  response.hasHeader('ETag') &&
  fresh(response.req.headers, { etag: String(response.getHeader('ETag')) })

/** A reader that accepts no data for this long is disconnected. */
const STALLED_READER_MS = 60_000

type Pieces = AsyncIterable<string | Uint8Array> | Iterable<Uint8Array>

async function streamText(response: Response, type: string, pieces: Pieces): Promise<void> {
  response.setHeader('Content-Type', type)
  compressText(response)
  await stream(response, pieces)
}

/** Writes only as fast as the reader accepts data, so that a slow reader does not keep a long transcript in memory. */
export async function stream(response: Response, pieces: Pieces): Promise<void> {
  if (response.req.method === 'HEAD') {
    response.end()
    return
  }
  let closed = response.destroyed
  let resume = (): void => {}
  // The compression middleware forwards 'drain' from its own stream and never removes a listener: use one for everything.
  response.on('drain', () => resume())
  response.once('close', () => {
    closed = true
    resume()
  })
  response.setTimeout(STALLED_READER_MS, () => response.destroy())
  for await (const piece of pieces) {
    if (!closed && !response.write(piece)) {
      await new Promise<void>((resolve) => {
        resume = resolve
      })
    }
    if (closed) return
  }
  response.end()
}

/** `more`: what the body has besides the envelope. */
export function sendError(ctx: ApiContext, response: Response, error: ServiceError, more: object = {}): void {
  if (error.retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(error.retryAfterSeconds))
  if (error.status === 401) response.setHeader('WWW-Authenticate', 'Bearer')
  const meta = buildMeta(requestIdOf(response), ctx.clock(), [])
  response.status(error.status)
  endWithJson(response, { success: false, error: buildErrorBody(error, ctx.http.publicBaseUrl), meta, ...more })
}
