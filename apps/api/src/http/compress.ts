import { constants } from 'node:zlib'
import compression from 'compression'
import type { RequestHandler } from 'express'

/** Bytes below which compressing saves no packet. */
const THRESHOLD = 1_024

// Transcripts are long and read once: past these levels text takes a third more time to become a few per cent shorter.
// The window keeps a stream's memory small; brotli's own would be sixteen times as large.
const GZIP_LEVEL = 4
const BROTLI = {
  params: {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_QUALITY]: 4,
    [constants.BROTLI_PARAM_LGWIN]: 18,
  },
}

/** Compresses answers as the caller accepts it. Never events: they would wait for a block to fill. */
export const compress = (): RequestHandler =>
  compression({
    threshold: THRESHOLD,
    level: GZIP_LEVEL,
    brotli: BROTLI,
    filter: (request, response) => {
      const type = String(response.getHeader('Content-Type'))
      return !EVENTS.test(type) && (SUBTITLES.test(type) || compression.filter(request, response))
    },
  })

const EVENTS = /^text\/event-stream\b/i
/** Text, though its media type is not known for it. */
const SUBTITLES = /^application\/x-subrip\b/i
