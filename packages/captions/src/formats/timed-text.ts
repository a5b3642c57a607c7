import type { Cue } from '@subtext/contracts'
import { parseJson3 } from './json3.ts'
import { parseSrv1 } from './srv1.ts'
import { parseSrv3 } from './srv3.ts'
import { parseTtml } from './ttml.ts'
import { parseVtt } from './vtt.ts'

const HEAD_CHARS = 1_000
/** The first cue of a SubRip file, with or without its number. */
const SUBRIP = /^(?:\d{1,9}[ \t]{0,8}(?:\r\n|\n|\r))?[ \t]{0,8}(?:\d{1,4}:)?\d{1,2}:\d{2}[.,]\d{1,3}[ \t]{1,8}-->/

/**
 * Parses a timed-text document in any of the platform's formats, since the platform sometimes answers in another format
 * than the one requested. Returns no cues for an empty document, which is how the platform withholds a track. Throws
 * `SyntaxError` for truncated JSON and for anything that is not timed text, `RangeError` for a document that needs more memory
 * than any real track.
 */
export const parseTimedText = (document: string): Cue[] => {
  const head = document.slice(0, HEAD_CHARS).trimStart()
  if (head === '') return []
  if (head.startsWith('{') || head.startsWith('[')) return parseJson3(document)
  if (head.startsWith('WEBVTT') || SUBRIP.test(head)) return parseVtt(document)
  if (/<timedtext[\s>]/.test(head)) return parseSrv3(document)
  if (/<transcript[\s>]/.test(head)) return parseSrv1(document)
  if (/<(?:[\w-]{1,20}:)?tt[\s>]/.test(head)) return parseTtml(document)
  throw new SyntaxError('The document is not timed text.')
}
