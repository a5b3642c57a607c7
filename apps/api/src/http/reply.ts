import { buildErrorBody, buildMeta, contentType, FORMATS, type ServiceError, type Warning } from '@subtext/contracts'
import { streamJson, writeJson } from '@subtext/render'
import type { Response } from 'express'
import fresh from 'fresh'
import type { ApiContext } from '../context.ts'
import { compressText, mayCompress } from './compress.ts'

/**
 * What a handler returns: data for the envelope, the envelope's data as JSON text or a document (both in pieces), a
 * file that is made only if the caller has no copy, the failure of a job that was created (a refusal, which has created
 * nothing, is thrown instead), nothing, or a stream that writes the response itself. An error that a stream throws before its first byte
 * is handled like any other.
 */
export type Reply = { headers?: Record<string, string>; warnings?: Warning[]; status?: number } & (
  | { data: unknown }
  | { jsonData: AsyncIterable<string> }
  | { document: AsyncIterable<string>; mediaType: string }
  | { file: () => Promise<Uint8Array>; mediaType: string }
  | { failure: ServiceError }
  | { empty: true }
  | { stream: (response: Response) => Promise<void> }
)

/** Returns a reply that repeated requests do not get: unlike `data`, it is not stored for them, where it would not be encrypted. */
export const replyWithSecret = (data: object): Reply => ({ jsonData: inOnePiece(JSON.stringify(data)) })

async function* inOnePiece(text: string): AsyncIterable<string> {
  yield text
}

export const requestIdOf = (response: Response): string => String(response.getHeader('X-Request-Id'))

const JSON_TYPE = contentType(FORMATS.default.mediaType)

export async function sendReply(ctx: ApiContext, response: Response, status: number, reply: Reply): Promise<void> {
  response.status(reply.status ?? status)
  const restoreHeaders = replaceHeaders(response, reply.headers ?? {})
  if (isNotModified(response)) {
    // Caches update their copies with these headers, so they must equal those of the full response.
    response.status(304).vary('Accept-Encoding').end()
    return
  }
  if ('stream' in reply) return reply.stream(response)
  if ('empty' in reply) return void response.end()
  if ('failure' in reply) return sendError(ctx, response, reply.failure)
  if ('document' in reply) return sendText(response, contentType(reply.mediaType), reply.document, restoreHeaders)
  if ('file' in reply) return sendFile(response, reply, restoreHeaders)
  const meta = buildMeta(requestIdOf(response), ctx.clock(), reply.warnings ?? [])
  if ('data' in reply) return endWithJson(response, { success: true, data: reply.data, meta })
  const envelope = writeJson({ success: true, data: streamJson(reply.jsonData), meta })
  return sendText(response, JSON_TYPE, envelope, restoreHeaders)
}

/** Sets headers. Returns a function that restores their previous values. */
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

const endWithJson = (response: Response, value: unknown): void => endWith(response, JSON_TYPE, JSON.stringify(value))

function endWith(response: Response, type: string, body: string): void {
  const bytes = Buffer.byteLength(body)
  compressText(response, bytes)
  response.setHeader('Content-Type', type)
  // The length of a compressed response is not known (RFC 9110, section 8.6).
  if (response.req.method !== 'HEAD' || !mayCompress(response, bytes)) response.setHeader('Content-Length', bytes)
  // Node.js sends a string in the same packet as the headers, and a buffer after them.
  // ASCII is the same in both encodings, and Node.js writes this one for a fraction of the cost.
  response.end(body, bytes === body.length ? 'latin1' : 'utf8')
}

/**
 * Returns whether the caller already has this representation (RFC 9110, section 13.1.2). `Cache-Control: no-cache`, which `fetch`
 * adds to every conditional request, is meant for the caches on the way and does not matter here.
 */
const isNotModified = (response: Response): boolean =>
  ['GET', 'HEAD'].includes(response.req.method) &&
  response.hasHeader('ETag') &&
  fresh({ 'if-none-match': response.req.headers['if-none-match'] }, { etag: String(response.getHeader('ETag')) })

/** A reader that accepts no data for this long is disconnected. */
const STALLED_READER_MS = 60_000

const disconnectStalled = (response: Response): unknown =>
  response.setTimeout(STALLED_READER_MS, () => response.destroy())

/** UTF-16 code units. Text up to this length is written before it is sent; of longer text, only as much as the reader accepts. */
const MAX_CHARS_AT_ONCE = 128 * 1024

/** Sends short text at once, with its length, and longer text as a stream. */
async function sendText(
  response: Response,
  type: string,
  pieces: AsyncIterable<string>,
  restoreHeaders: () => void,
): Promise<void> {
  const source = pieces[Symbol.asyncIterator]()
  const isHead = response.req.method === 'HEAD'
  const { start, isAll } = isHead
    ? { start: [], isAll: false }
    : await readStart(source).catch((error: unknown) => {
        // They describe the text, not the error that takes its place.
        restoreHeaders()
        throw error
      })
  if (isAll) {
    disconnectStalled(response)
    return endWith(response, type, start.join(''))
  }
  compressText(response)
  response.setHeader('Content-Type', type)
  await stream(response, continueWith(start, source))
}

async function readStart(source: AsyncIterator<string>): Promise<{ start: string[]; isAll: boolean }> {
  const start: string[] = []
  for (let length = 0; length <= MAX_CHARS_AT_ONCE; length += start.at(-1)?.length ?? 0) {
    const next = await source.next()
    if (next.done) return { start, isAll: true }
    start.push(next.value)
  }
  return { start, isAll: false }
}

/**
 * Yields the start, without keeping it in memory, and then the rest of the source. Closes the source if the reader ends early.
 */
async function* continueWith(start: string[], source: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    for (let piece = start.shift(); piece !== undefined; piece = start.shift()) yield piece
    for (let next = await source.next(); !next.done; next = await source.next()) yield next.value
  } finally {
    await source.return?.()
  }
}

/** Writes only as fast as the reader accepts data, so that a slow reader does not keep a long transcript in memory. */
export async function stream(response: Response, pieces: AsyncIterable<string | Uint8Array>): Promise<void> {
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
  disconnectStalled(response)
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
