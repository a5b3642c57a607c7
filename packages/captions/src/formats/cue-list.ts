import type { Cue, Pause } from '@subtext/contracts'

/** Ten hours of speech have 20,000. More would not fit into the memory of a thread. */
const MAX_CUES = 200_000

/** Far more than fits on a screen. Cleaning reads no more of a text, so hostile tracks need not be collected further. */
export const MAX_RAW_LENGTH = 100_000

/** Collects the cues of a document that have a time and a text. */
export interface CueList {
  cues: Cue[]
  /** Adds a cue unless its start is `null` or its text blank. Throws `RangeError` for more cues than any track has. */
  add(startMs: number | null, durationMs: number, text: string, pauses?: Pause[]): void
}

export const createCueList = (): CueList => {
  const cues: Cue[] = []
  return {
    cues,
    add(startMs, durationMs, text, pauses) {
      if (startMs === null || text.trim() === '') return
      if (cues.length === MAX_CUES) throw new RangeError(`The track has more than ${MAX_CUES} cues.`)
      cues.push(pauses ? { startMs, durationMs, text, pauses } : { startMs, durationMs, text })
    },
  }
}

/** Returns `text` followed by `more`, cut off beyond the limit. */
export const appendRaw = (text: string, more: string): string => (text.length < MAX_RAW_LENGTH ? text + more : text)
