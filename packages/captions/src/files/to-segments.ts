import type { Cue } from '@subtext/contracts'
import { type RawCue, refuseTooMany } from './raw-cue.ts'
import { findSpeakerNames, readName } from './speaker-names.ts'
import { splitVoices, toPlainLines, toPlainName, type Voice } from './split-voices.ts'

interface Timed {
  startMs: number
  endMs: number
}

interface VoicedCue extends Timed {
  voices: Voice[]
}

/** Puts cues in the order of their starts and ends those without an end where the next one starts. Negative times become 0. */
function order(cues: RawCue[]): (RawCue & Timed)[] {
  const sorted = cues.toSorted((one, other) => one.startMs - other.startMs)
  let nextStart = 0
  let following = Number.NaN
  const ordered: (RawCue & Timed)[] = []
  for (const cue of sorted.toReversed()) {
    if (cue.startMs !== nextStart || ordered.length === 0) {
      following = ordered.length === 0 ? cue.startMs : nextStart
      nextStart = cue.startMs
    }
    ordered.push({ ...cue, startMs: Math.max(0, cue.startMs), endMs: Math.max(0, cue.endMs ?? following) })
  }
  return ordered.reverse()
}

function* splitAtNames({ lines }: Voice, names: ReadonlySet<string>): Generator<Voice> {
  let voice: Voice = { lines: [] }
  for (const line of lines) {
    const named = readName(line)
    if (named && names.has(named.name)) {
      yield voice
      voice = { speaker: named.name, lines: named.rest === '' ? [] : [named.rest] }
    } else voice.lines.push(line)
  }
  yield voice
}

/** A cue may have several voices, but captions have hardly more of them than twice their cues. */
const MAX_VOICES_PER_CUE = 2

/**
 * Returns the segments of a file: each cue with words, on one line, in the order of their starts; a segment for each voice of a
 * cue. A segment has a speaker only where the file says it, or where it begins with one of `speakers`.
 */
export function toSegments(raw: RawCue[], speakers: readonly string[]): Cue[] {
  const cues = order(raw).map(
    ({ speaker, text, ...times }): VoicedCue => ({
      ...times,
      voices:
        speaker === undefined ? splitVoices(text) : [{ speaker: toPlainName(speaker), lines: toPlainLines(text) }],
    }),
  )
  const firstLines = cues.map(({ voices: [first] }) =>
    first && first.speaker === undefined ? (first.lines[0] ?? '') : '',
  )
  const names = new Set([...findSpeakerNames(firstLines), ...speakers])
  const segments: Cue[] = []
  for (const { startMs, endMs, voices } of cues) {
    const durationMs = Math.max(0, endMs - startMs)
    for (const voice of voices) {
      const parts = voice.speaker === undefined && names.size > 0 ? splitAtNames(voice, names) : [voice]
      for (const { speaker, lines } of parts) {
        const text = lines.join(' ')
        if (text !== '') segments.push({ startMs, durationMs, text, ...(speaker !== undefined && { speaker }) })
      }
    }
    refuseTooMany(segments.length / MAX_VOICES_PER_CUE)
  }
  return segments
}
