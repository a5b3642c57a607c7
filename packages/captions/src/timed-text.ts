import type { Cue } from '@subtext/contracts'
import { parseJson3 } from './json3.ts'
import { parseSrv1 } from './srv1.ts'
import { parseSrv3 } from './srv3.ts'
import { parseVtt } from './vtt.ts'

const HEAD_CHARS = 1_000

/**
 * Cues of a timed-text document in whichever of the platform's formats it is: the platform answers with another than the
 * one asked for now and then. No cues for an empty document, which is how a track is withheld. Throws `SyntaxError` for
 * JSON that is cut off and for what is no timed text at all.
 */
export const parseTimedText = (document: string): Cue[] => {
  const head = document.slice(0, HEAD_CHARS).trimStart()
  if (head === '') return []
  if (head.startsWith('{') || head.startsWith('[')) return parseJson3(document)
  if (head.startsWith('WEBVTT')) return parseVtt(document)
  if (/<timedtext[\s>]/.test(head)) return parseSrv3(document)
  if (/<transcript[\s>]/.test(head)) return parseSrv1(document)
  throw new SyntaxError('This is no timed text.')
}
