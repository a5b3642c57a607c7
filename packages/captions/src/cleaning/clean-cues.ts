import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CleaningReport, Cue, Pause, TrackKind } from '@subtext/contracts'
import { joinLines, readSpeech, TURN } from './speech-text.ts'

// Frames of an animated caption and the 10 ms bridges of rolling captions repeat the same words. People do not repeat a
// line that fast.
const MAX_FRAME_MS = 300
// Rolling captions follow one another without a pause.
const MAX_GAP_MS = 100
// About how long a line stays on the screen; used when the platform gives no duration, or an impossible one.
const ASSUMED_DURATION_MS = 5000
// No line stays longer. The last one of some tracks is said to last for hours.
const MAX_DURATION_MS = 10 * 60_000

/** More lines than any screen shows. Comparing longer texts line by line would take time in proportion to their square. */
const MAX_ROLLING_LINES = 20

interface SpokenCue {
  startMs: number
  endMs: number
  /** Spoken text of the new lines. */
  lines: string[]
  /** All lines on the screen, including repeated ones and sounds. */
  shown: string[]
  /** Whether the cue may hold the lines of rolling captions on the screen without adding any. */
  isHold: boolean
  pauses: readonly Pause[] | undefined
}

/** A cue whose repeated lines have been removed. */
interface KeptCue {
  startMs: number
  endMs: number
  text: string
  pauses: readonly Pause[] | undefined
}

/** The last cue that was kept, and what the screen shows at its end. */
interface LastCue {
  cue: KeptCue
  shown: string[]
}

/** Returns how many leading lines of `next` are the trailing lines of `previous`. */
const repeatedLines = (previous: string[], next: string[]): number => {
  for (let count = Math.min(previous.length, next.length, MAX_ROLLING_LINES); count > 0; count--) {
    const first = previous.length - count
    let same = 0
    while (same < count && previous[first + same] === next[same]) same++
    if (same === count) return count
  }
  return 0
}

/** Returns whether a cue only shows for longer what is already on the screen. */
const isFrameOf = ({ cue: previous, shown }: LastCue, cue: SpokenCue): boolean =>
  cue.startMs <= previous.endMs + MAX_GAP_MS &&
  (cue.isHold || Math.min(cue.endMs - cue.startMs, previous.endMs - previous.startMs) <= MAX_FRAME_MS) &&
  repeatedLines(shown, cue.shown) === cue.shown.length

/** Returns how many leading lines of a cue were already on the screen. */
const rolledLines = (previous: LastCue | null, cue: SpokenCue): number => {
  if (!previous || cue.startMs > previous.cue.endMs + MAX_GAP_MS) return 0
  const repeated = repeatedLines(previous.shown, cue.shown)
  // A cue that adds no line is a real repetition, as in a chorus.
  return repeated === cue.shown.length ? 0 : repeated
}

const spokenLines = (lines: string[]): string[] => lines.filter((line) => line !== '')

type Counts = Pick<CleaningReport, 'removed_duplicates' | 'removed_non_speech'>

/** Collects cues that are added in order of time, without the lines that are already on the screen. */
const createRepeatFilter = (counts: Counts) => {
  const kept: KeptCue[] = []
  let last: LastCue | null = null
  const add = (cue: SpokenCue): void => {
    const { startMs, endMs, shown } = cue
    const rolled = last && isFrameOf(last, cue) ? cue.lines.length : rolledLines(last, cue)
    counts.removed_duplicates += spokenLines(cue.lines.slice(0, rolled)).length
    const lines = spokenLines(cue.lines.slice(rolled))
    if (last && lines.length === 0) {
      last.cue.endMs = Math.max(last.cue.endMs, endMs)
      last.shown = shown
    } else {
      last = { cue: { startMs, endMs, text: joinLines(lines), pauses: rolled > 0 ? undefined : cue.pauses }, shown }
      kept.push(last.cue)
    }
  }
  return { kept, add }
}

const durationOf = ({ durationMs }: Cue): number =>
  durationMs > 0 && durationMs <= MAX_DURATION_MS ? durationMs : ASSUMED_DURATION_MS

const countWords = (text: string): number => text.match(/\S+/g)?.length ?? 0

// Words with times are spoken in their cue; rolling captions repeat them without times.
const WORD_TIME = /<\d{1,3}:\d\d(?::\d\d)?\.\d{3}>/

/** Collects the speech of cues that are added in order of time. `isRolling`: whether words of the track have times. */
const createSpeechCollector = (kind: TrackKind, isRolling: boolean, counts: Counts) => {
  const { kept, add: addSpoken } = createRepeatFilter(counts)
  let seenAt = Number.NaN
  let seenTexts = new Set<string>()
  const add = (cue: Cue): void => {
    const { startMs, text } = cue
    const { lines, shown, soundsRemoved, hasRoomBelow } = readSpeech(text, kind)
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
    const isHold = kind === 'auto' && (hasRoomBelow || (isRolling && !WORD_TIME.test(text)))
    // Words are counted from the beginning: after a sound that is removed, they would be others.
    const isCounted = cue.pauses !== undefined && countWords(text) === countWords(key)
    const pauses = isCounted ? cue.pauses?.filter(([word]) => word < countWords(key)) : undefined
    addSpoken({ startMs, endMs: startMs + durationOf(cue), lines, shown, isHold, pauses })
  }
  return { kept, add }
}

/** Ends every cue where the next later one starts. Cues with the same start may share the screen. */
const endAtNext = (cues: KeptCue[]): Cue[] => {
  let next = 0
  return cues.map(({ startMs, endMs, text, pauses }) => {
    while (next < cues.length && (cues[next]?.startMs ?? 0) <= startMs) next++
    const nextStartMs = cues[next]?.startMs ?? Number.POSITIVE_INFINITY
    const cue = { startMs, durationMs: Math.min(endMs, nextStartMs) - startMs, text }
    return pauses ? { ...cue, pauses } : cue
  })
}

const SPEAKER_CHANGE = '>> '

/** Splits a cue at each change of speaker. The parts share its duration in proportion to their length. */
const splitAtTurns = (cue: Cue): Cue[] => {
  const [before = '', ...turns] = cue.text.split(TURN)
  const parts = [before.trim(), ...turns.map((turn) => SPEAKER_CHANGE + turn.trim())].filter((part) => part !== '')
  const total = parts.reduce((sum, part) => sum + part.length, 0)
  let length = 0
  const boundary = (): number => cue.startMs + Math.round((cue.durationMs * length) / total)
  return parts.map((text) => {
    const startMs = boundary()
    length += text.length
    return { startMs, durationMs: boundary() - startMs, text }
  })
}

const countCharacters = (cues: Cue[]): number => cues.reduce((sum, { text }) => sum + text.length, 0)

export interface CleanCues {
  cues: Cue[]
  report: CleaningReport
}

const openCleaning = (cues: Cue[], kind: TrackKind) => {
  const counts: Counts = { removed_duplicates: 0, removed_non_speech: 0 }
  const isRolling = kind === 'auto' && cues.some(({ text }) => text.includes('<') && WORD_TIME.test(text))
  const collector = createSpeechCollector(kind, isRolling, counts)
  return {
    ordered: cues.toSorted((a, b) => a.startMs - b.startMs),
    add: collector.add,
    end(): CleanCues {
      const cleaned: Cue[] = []
      for (const cue of endAtNext(collector.kept)) {
        if (cue.text.includes(TURN)) cleaned.push(...splitAtTurns(cue))
        else cleaned.push(cue)
      }
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
 * Returns the speech of a track in order of time. Removes empty cues, text repeated at the same moment, lines repeated by
 * rolling captions, cues that only describe sounds, markup and invisible characters, and puts each text on one line.
 * Where the track marks a change of speaker, a new cue begins with `>> `.
 * `kind` decides what is removed within a line: only automatic tracks mark sounds and speakers there.
 */
export const cleanCues = (cues: Cue[], kind: TrackKind = 'manual'): CleanCues => {
  const { ordered, add, end } = openCleaning(cues, kind)
  for (const cue of ordered) add(cue)
  return end()
}

/** About 10 ms of work. */
const CUES_PER_TURN = 2_000

/** Works like `cleanCues` and yields to the event loop regularly, which ten hours of speech would otherwise block. */
export const cleanCuesInTurns = async (cues: Cue[], kind: TrackKind): Promise<CleanCues> => {
  const { ordered, add, end } = openCleaning(cues, kind)
  for (let start = 0; start < ordered.length; start += CUES_PER_TURN) {
    if (start > 0) await nextTurn()
    for (const cue of ordered.slice(start, start + CUES_PER_TURN)) add(cue)
  }
  return end()
}
