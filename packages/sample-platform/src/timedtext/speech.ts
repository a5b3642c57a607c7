import type { SampleCue } from '../sample-video.ts'

interface SpokenWord {
  /** Without the preceding space. */
  text: string
  startMs: number
}

/** A line of auto-generated captions. Two are on screen at a time, so each overlaps the next. */
export interface SpokenLine {
  startMs: number
  /** Time on screen, overlapping the next line. */
  durationMs: number
  words: readonly SpokenWord[]
  /** A space, or nothing in languages written without spaces. */
  separator: string
}

interface Sounds {
  music: string
  applause: string
}

const SOUNDS: Readonly<Record<string, Sounds>> = {
  de: { music: '[Musik]', applause: '[Applaus]' },
  es: { music: '[Música]', applause: '[Aplausos]' },
  fr: { music: '[Musique]', applause: '[Applaudissements]' },
  hi: { music: '[संगीत]', applause: '[तालियाँ]' },
  ja: { music: '[音楽]', applause: '[拍手]' },
  ko: { music: '[음악]', applause: '[박수]' },
  pt: { music: '[Música]', applause: '[Aplausos]' },
  zh: { music: '[音乐]', applause: '[掌声]' },
}
const ENGLISH_SOUNDS: Sounds = { music: '[Music]', applause: '[Applause]' }

const UNSPACED = new Set(['ja', 'zh'])
const LINE_WIDTH = 36
const LINE_WIDTH_UNSPACED = 16
/** Maximum time on screen after the start of the last word. */
const MAX_LINGER_MS = 2600
/** Sounds are captioned only where there is at least this much time without speech. */
const MIN_SOUND_MS = 1500

/** Turns written cues into what speech recognition would produce: timed words, no punctuation, sounds in brackets. */
export function recognizeSpeech(cues: readonly SampleCue[], language: string, lengthMs: number): SpokenLine[] {
  const primary = language.split('-')[0] ?? language
  const separator = UNSPACED.has(primary) ? '' : ' '
  const width = separator === '' ? LINE_WIDTH_UNSPACED : LINE_WIDTH
  const sounds = SOUNDS[primary] ?? ENGLISH_SOUNDS
  const groups: SpokenWord[][] = []
  const first = cues[0]
  if (first !== undefined && first.startMs >= MIN_SOUND_MS) groups.push([{ text: sounds.music, startMs: 320 }])
  groups.push(
    ...breakLines(
      cues.flatMap((cue) => timeWords(cue, language, separator)),
      width,
      separator.length,
    ),
  )
  const last = cues.at(-1)
  const endMs = last === undefined ? 0 : last.startMs + last.durationMs
  if (lengthMs - endMs >= MIN_SOUND_MS) groups.push([{ text: sounds.applause, startMs: endMs + 400 }])
  return groups.map((words, index) => {
    const startMs = words[0]?.startMs ?? 0
    const afterNext = groups[index + 2]?.[0]?.startMs ?? lengthMs
    const fadeMs = (words.at(-1)?.startMs ?? startMs) + MAX_LINGER_MS
    return { startMs, durationMs: Math.max(10, Math.min(afterNext, fadeMs) - startMs), words, separator }
  })
}

/** Returns the text of a line. */
export function joinWords(line: SpokenLine): string {
  return line.words.map((word) => word.text).join(line.separator)
}

function timeWords(cue: SampleCue, language: string, separator: string): SpokenWord[] {
  const words = separator === '' ? segmentWords(cue.text, language) : splitWords(cue.text)
  const total = words.reduce((sum, word) => sum + word.length + 1, 0)
  let before = 0
  return words.map((text) => {
    const startMs = cue.startMs + Math.round((cue.durationMs * before) / total)
    before += text.length + 1
    return { text, startMs }
  })
}

function splitWords(text: string): string[] {
  return text
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|(?<![^\p{L}\p{M}\p{N}%])[^\p{L}\p{M}\p{N}%]+$/gu, '').toLowerCase())
    .filter((word) => word !== '')
}

function segmentWords(text: string, language: string): string[] {
  const segments = new Intl.Segmenter(language, { granularity: 'word' }).segment(text)
  return [...segments].filter((part) => part.isWordLike === true).map((part) => part.segment)
}

function breakLines(words: readonly SpokenWord[], width: number, gap: number): SpokenWord[][] {
  const lines: SpokenWord[][] = []
  let line: SpokenWord[] = []
  let used = 0
  for (const word of words) {
    if (line.length > 0 && used + gap + word.text.length > width) {
      lines.push(line)
      line = []
      used = 0
    }
    line.push(word)
    used += gap + word.text.length
  }
  if (line.length > 0) lines.push(line)
  return lines
}
