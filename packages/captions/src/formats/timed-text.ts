import type { Cue } from '@subtext/contracts'
import { parseJson3 } from './json3.ts'
import { parseSrv1 } from './srv1.ts'
import { parseSrv3 } from './srv3.ts'
import { parseVtt } from './vtt.ts'

const HEAD_CHARS = 1_000

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
  if (head.startsWith('WEBVTT')) return parseVtt(document)
  if (/<timedtext[\s>]/.test(head)) return parseSrv3(document)
  if (/<transcript[\s>]/.test(head)) return parseSrv1(document)
  throw new SyntaxError('The document is not timed text.')
}
