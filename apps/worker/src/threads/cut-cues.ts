import type { Cue } from '@subtext/contracts'

/** Copying a part from one thread to another takes a few milliseconds. */
const MOST_CUES = 1_000
const MOST_CHARS = 500_000

export function* cutCues(cues: Cue[]): Generator<Cue[]> {
  let part: Cue[] = []
  let chars = 0
  for (const cue of cues) {
    if (part.length === MOST_CUES || chars >= MOST_CHARS) {
      yield part
      part = []
      chars = 0
    }
    part.push(cue)
    chars += cue.text.length
  }
  if (part.length > 0) yield part
}
