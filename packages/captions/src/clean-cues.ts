import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CleaningReport, Cue, TrackKind } from '@subtext/contracts'
import { readSpeech, TURN } from './speech-text.ts'

// Frames of an animated caption and the 10 ms bridges of rolling captions show the same words again; people do not
// say a line again that fast.
const FRAME_MS = 300
// Rolling captions follow one another without a pause.
const CONTIGUOUS_MS = 100
// A line stays readable for about this long; used where the platform gives no duration.
const ASSUMED_DURATION_MS = 5000

interface SpokenCue {
  startMs: number
  endMs: number
  /** What is said in the lines that are new. */
  lines: string[]
  /** What the screen showed: the lines already seen and the sounds too. */
  shown: string[]
}

/** How many of the leading lines of `next` are the trailing lines of `previous`. */
const repeatedLines = (previous: string[], next: string[]): number => {
  for (let count = Math.min(previous.length, next.length); count > 0; count--) {
    if (previous.slice(-count).every((line, index) => line === next[index])) return count
  }
  return 0
}

const isFrameOf = (previous: SpokenCue, cue: SpokenCue): boolean =>
  cue.startMs <= previous.endMs + CONTIGUOUS_MS &&
  Math.min(cue.endMs - cue.startMs, previous.endMs - previous.startMs) <= FRAME_MS &&
  repeatedLines(previous.shown, cue.shown) === cue.shown.length

/** How many leading lines of a cue stood on the screen already. */
const rolledLines = (previous: SpokenCue | undefined, cue: SpokenCue): number => {
  if (!previous || cue.startMs > previous.endMs + CONTIGUOUS_MS) return 0
  const repeated = repeatedLines(previous.shown, cue.shown)
  // A cue that adds nothing is somebody saying the same again, as in a chorus.
  return repeated === cue.shown.length ? 0 : repeated
}

const spokenLines = (lines: string[]): string[] => lines.filter((line) => line !== '')

type Counts = Pick<CleaningReport, 'removed_duplicates' | 'removed_non_speech'>

/** Takes cues in order of time, in as many parts as one likes. */
const createSpeechReader = (kind: TrackKind, counts: Counts) => {
  const spoken: SpokenCue[] = []
  let seenAt = Number.NaN
  let seenTexts = new Set<string>()
  const add = ({ startMs, durationMs, text }: Cue): void => {
    const { lines, shown, soundsRemoved } = readSpeech(text, kind)
    counts.removed_non_speech += soundsRemoved
    const said = spokenLines(lines)
    if (said.length === 0) return
    const key = said.join(' ')
    if (startMs !== seenAt) {
      seenAt = startMs
      seenTexts = new Set()
    }
    if (seenTexts.has(key)) {
      counts.removed_duplicates += said.length
      return
    }
    seenTexts.add(key)
    spoken.push({ startMs, endMs: startMs + (durationMs > 0 ? durationMs : ASSUMED_DURATION_MS), lines, shown })
  }
  return { spoken, add }
}

const withoutRepeats = (cues: SpokenCue[], counts: Counts): SpokenCue[] => {
  const kept: SpokenCue[] = []
  for (const cue of cues) {
    const previous = kept.at(-1)
    const isFrame = previous !== undefined && isFrameOf(previous, cue)
    const rolled = isFrame ? cue.lines.length : rolledLines(previous, cue)
    counts.removed_duplicates += spokenLines(cue.lines.slice(0, rolled)).length
    const lines = spokenLines(cue.lines.slice(rolled))
    if (previous && lines.length === 0) {
      previous.endMs = Math.max(previous.endMs, cue.endMs)
      previous.shown = cue.shown
    } else kept.push({ ...cue, lines })
  }
  return kept
}

/** Ends every cue where the next later one starts; cues of the same moment may share the screen. */
const endAtNext = (cues: SpokenCue[]): Cue[] => {
  const clipped: Cue[] = []
  let nextStartMs = Number.POSITIVE_INFINITY
  for (let index = cues.length - 1; index >= 0; index--) {
    const { startMs, endMs, lines } = cues[index] as SpokenCue
    const later = cues[index + 1]
    if (later && later.startMs > startMs) nextStartMs = later.startMs
    clipped.push({ startMs, durationMs: Math.min(endMs, nextStartMs) - startMs, text: lines.join(' ') })
  }
  return clipped.reverse()
}

const SPEAKER_CHANGE = '>> '

/** Cuts a cue in which the speaker changes, each part with its share of the time by its length. */
const cutAtTurns = (cue: Cue): Cue[] => {
  if (!cue.text.includes(TURN)) return [cue]
  const [before = '', ...turns] = cue.text.split(TURN)
  const parts = [before.trim(), ...turns.map((turn) => SPEAKER_CHANGE + turn.trim())].filter((part) => part !== '')
  const total = parts.reduce((sum, part) => sum + part.length, 0)
  let length = 0
  const border = (): number => cue.startMs + Math.round((cue.durationMs * length) / total)
  return parts.map((text) => {
    const startMs = border()
    length += text.length
    return { startMs, durationMs: border() - startMs, text }
  })
}

const countCharacters = (cues: Cue[]): number => cues.reduce((sum, { text }) => sum + text.length, 0)

export interface CleanCues {
  cues: Cue[]
  report: CleaningReport
}

const openCleaning = (cues: Cue[], kind: TrackKind) => {
  const counts: Counts = { removed_duplicates: 0, removed_non_speech: 0 }
  const reader = createSpeechReader(kind, counts)
  return {
    ordered: cues.toSorted((a, b) => a.startMs - b.startMs),
    add: reader.add,
    end(): CleanCues {
      const cleaned = endAtNext(withoutRepeats(reader.spoken, counts)).flatMap(cutAtTurns)
      const report = {
        ...counts,
        characters_before: countCharacters(cues),
        characters_after: countCharacters(cleaned),
      }
      return { cues: cleaned, report }
    },
  }
}

/**
 * What was said, in order of time: no empty cues, no text twice at one moment, no lines repeated by rolling captions,
 * no sound descriptions standing alone, no markup or invisible characters, each text on one line. What another speaker
 * says begins a cue of its own with `>> `, where the track marks it.
 * `kind` decides how much is taken from within a line: only an automatic track marks sounds and speakers there.
 */
export const cleanCues = (cues: Cue[], kind: TrackKind = 'manual'): CleanCues => {
  const { ordered, add, end } = openCleaning(cues, kind)
  for (const cue of ordered) add(cue)
  return end()
}

/** About 10 ms of work. */
const CUES_A_TURN = 2_000

/** As `cleanCues`, letting others have their turn now and then: ten hours of speech would hold them up for long. */
export const cleanCuesInTurns = async (cues: Cue[], kind: TrackKind): Promise<CleanCues> => {
  const { ordered, add, end } = openCleaning(cues, kind)
  for (const [index, cue] of ordered.entries()) {
    if (index % CUES_A_TURN === 0) await nextTurn()
    add(cue)
  }
  return end()
}
