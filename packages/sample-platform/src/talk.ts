import type { SampleCue } from './sample-video.ts'

export interface TalkSection {
  title: string
  /** Each becomes one caption line. */
  lines: readonly string[]
}

export interface Talk {
  cues: readonly SampleCue[]
  /** `m:ss Title` lines, the form that the platform turns into chapters. */
  chapterList: string
  lengthSeconds: number
}

/** Music before the first word and applause after the last. */
const LEAD_MS = 3000
const TAIL_MS = 4000
const PAUSE_MS = 240
const SECTION_PAUSE_MS = 1400
const MIN_DURATION_MS = 1600

/** Times written lines as speech at `charactersPerSecond`, so that data files contain nothing but text. */
export function timeTalk(sections: readonly TalkSection[], charactersPerSecond: number): Talk {
  const cues: SampleCue[] = []
  const chapters: string[] = []
  let clock = LEAD_MS
  for (const section of sections) {
    chapters.push(`${formatClock(chapters.length === 0 ? 0 : clock)} ${section.title}`)
    for (const text of section.lines) {
      const durationMs = Math.max(MIN_DURATION_MS, Math.round(([...text].length / charactersPerSecond) * 1000))
      cues.push({ startMs: clock, durationMs, text })
      clock += durationMs + PAUSE_MS
    }
    clock += SECTION_PAUSE_MS
  }
  return { cues, chapterList: chapters.join('\n'), lengthSeconds: Math.ceil((clock + TAIL_MS) / 1000) }
}

/** Gives a translation the times of the original lines. Throws when the numbers of lines differ. */
export function alignLines(original: readonly SampleCue[], lines: readonly string[]): SampleCue[] {
  if (lines.length !== original.length) {
    throw new RangeError(`The translation has ${lines.length} lines instead of ${original.length}.`)
  }
  return original.map((cue, index) => ({ ...cue, text: lines[index] ?? cue.text }))
}

function formatClock(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
