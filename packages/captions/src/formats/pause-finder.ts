import type { Pause } from '@subtext/contracts'

/** About how long a word takes at an ordinary pace: the track only says when each begins. */
const WORD_MS = 80
const LETTER_MS = 60
/** Shorter silences are within the error of that. */
const MIN_PAUSE_MS = 200
const MAX_PAUSE_MS = 10_000
/** No line has more. */
const MAX_WORDS = 1_000

/** Finds the silences before the words of one cue after another. */
export interface PauseFinder {
  begin(startMs: number): void
  /** Adds a part of the cue. `offsetMs`: from the start of the cue; null if the track does not say. */
  add(text: string, offsetMs: number | null): void
  /** Returns the silences of the cue; undefined if its words have no times. */
  end(): Pause[] | undefined
}

const countWords = (text: string): number => (/\s/.test(text) ? text.split(/\s+/).length : 1)

export function createPauseFinder(): PauseFinder {
  /** When the last word probably ended. */
  let saidUntil = Number.NaN
  let [startMs, words, parts, untimed] = [0, 0, 0, 0]
  let isFollowing = false
  let pauses: Pause[] = []
  return {
    begin(at) {
      startMs = at
      words = 0
      parts = 0
      untimed = 0
      isFollowing = !Number.isNaN(saidUntil)
      pauses = []
    },
    add(text, offsetMs) {
      const said = text.trim()
      if (said === '') return
      if (offsetMs === null && parts > 0) untimed++
      const at = startMs + (offsetMs ?? 0)
      const silence = Math.round(at - saidUntil)
      if (silence >= MIN_PAUSE_MS && words < MAX_WORDS) pauses.push([words, Math.min(silence, MAX_PAUSE_MS)])
      saidUntil = at + WORD_MS + LETTER_MS * said.length
      words += countWords(said)
      parts++
    },
    end() {
      if (parts === 0) return undefined
      // A part of several words is a whole line, of which only the beginning has a time; one of a single word may be one.
      if (untimed === 0 && words === parts && (parts > 1 || isFollowing)) return pauses
      saidUntil = Number.NaN
      return undefined
    },
  }
}
