import { constants } from 'node:zlib'
import { FORMATS } from '@subtext/contracts'
import compression from 'compression'
import type { Request, RequestHandler, Response } from 'express'

/** Below this many bytes compression saves no packet. */
export const THRESHOLD_BYTES = 1_024

// Transcripts are long and read once: beyond these levels compression takes a third more time to save a few percent. The small
// window keeps each stream's memory low; brotli's default window is sixteen times as large.
const GZIP_LEVEL = 4
export const BROTLI = {
  params: {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_QUALITY]: 4,
    [constants.BROTLI_PARAM_LGWIN]: 18,
  },
}

const EVENTS = /^text\/event-stream\b/i
/** Every format is text, although not every media type says so. */
const TEXT_TYPES = new Set<string | undefined>(Object.values(FORMATS).map(({ mediaType }) => mediaType))

/** Returns whether responses of this media type are compressed. The type must have been set. */
export function isCompressible(request: Request, response: Response): boolean {
  const type = String(response.getHeader('Content-Type'))
  return !EVENTS.test(type) && (TEXT_TYPES.has(type.split(';')[0]) || compression.filter(request, response))
}

const handle = compression({
  threshold: THRESHOLD_BYTES,
  level: GZIP_LEVEL,
  brotli: BROTLI,
  filter: isCompressible,
})

/** Compresses responses as the caller accepts it. Events are never compressed: they would wait until a block is full. */
export const compress: RequestHandler = (request, response, next) => handle(request, response, next)

/**
 * Compresses what is written to a response from now on, like the middleware. Text that is too short for that, or whose caller
 * accepts no encoding, only gets the header, because preparing each response for compression takes longer than everything else
 * about it.
 */
export function compressText(response: Response, bytes = Number.POSITIVE_INFINITY): void {
  if (mayCompress(response, bytes)) handle(response.req, response, () => {})
  else response.vary('Accept-Encoding')
}

/** Returns whether text of this length is compressed if the caller accepts a known encoding. */
export const mayCompress = ({ req }: Response, bytes: number): boolean =>
  bytes >= THRESHOLD_BYTES && req.headers['accept-encoding'] !== undefined
