import type { Cue, TrackKind, VideoInfo } from '@subtext/contracts'
import type { SummarySource } from '../../summarizer.ts'

export interface SampleTranscript {
  language: string
  sentences: string[]
}

const MS_PER_CHAR = 70

const isDense = (language: string): boolean => /^(?:ja|zh)/u.test(language)

/** Pieces of at most `width` characters, at spaces where the language has them. */
const breakLines = (text: string, width: number, dense: boolean): string[] => {
  if (dense) return text.match(new RegExp(`.{1,${width}}`, 'gu')) ?? []
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

const timed = (lines: string[]): Cue[] => {
  let startMs = 0
  return lines.map((text) => {
    const durationMs = text.length * MS_PER_CHAR
    const cue = { startMs, durationMs, text }
    startMs += durationMs
    return cue
  })
}

/** As people write captions: sentences broken into short lines. */
export const writtenCues = ({ language, sentences }: SampleTranscript): Cue[] =>
  timed(sentences.flatMap((sentence) => breakLines(sentence, isDense(language) ? 14 : 38, isDense(language))))

/** As machines write them: no punctuation, no capitals, lines broken anywhere, each shown until the next is over. */
export const spokenCues = ({ language, sentences }: SampleTranscript): Cue[] => {
  const dense = isDense(language)
  const bare = sentences.map((sentence) => sentence.replace(/[.,!?¿。、，।]/gu, '').toLowerCase())
  const cues = timed(breakLines(bare.join(dense ? '' : ' '), dense ? 12 : 34, dense))
  return cues.map((cue) => ({ ...cue, durationMs: cue.durationMs * 2 }))
}

const VIDEO: VideoInfo = {
  video_id: 'aaaaaaaaaaa',
  url: 'https://video.example/aaaaaaaaaaa',
  title: '',
  channel: { id: 'c', name: 'c', url: 'https://video.example/c' },
  description: '',
  published_at: null,
  duration_seconds: 0,
  thumbnail_url: '',
  language: null,
  is_live_archive: false,
  chapters: [],
}

interface SourceOptions {
  language?: string
  kind?: TrackKind
  title?: string
  chapters?: VideoInfo['chapters']
  instructions?: string | null
}

export const sourceOf = (cues: Cue[], options: SourceOptions = {}): SummarySource => {
  const { language = 'en', kind = 'manual', title = '', chapters = [], instructions = null } = options
  return {
    video: { ...VIDEO, title, chapters },
    track: { key: 'k', language, kind, name: 'n', isDefault: true },
    cues,
    instructions,
    outputLanguage: null,
  }
}
