import { UnreadableCaptionsError } from './unreadable.ts'

/** A cue as a file has it: its text with tags and line breaks. */
export interface RawCue {
  /** May be negative, as in a file that was shifted. */
  startMs: number
  /** Null where the file does not say it: the cue lasts until the next one starts. */
  endMs: number | null
  text: string
  /** The speaker, where the format has a place for one. */
  speaker?: string | undefined
}

/** What a reader of a format returns. */
export interface RawCaptions {
  cues: RawCue[]
  /** The language of the text, where the file says it. */
  language?: string | undefined
}

/** Ten hours of speech have 20,000. */
export const MAX_FILE_CUES = 100_000

/** Throws once a file has more cues than any recording. */
export function refuseTooMany(count: number, line?: number): void {
  if (count <= MAX_FILE_CUES) return
  throw new UnreadableCaptionsError('too_long', `The captions have more than ${MAX_FILE_CUES} cues.`, line)
}
