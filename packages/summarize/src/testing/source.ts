import type { Cue, TrackKind, VideoInfo } from '@subtext/contracts'
import { newVideoInfo } from '@subtext/contracts/testing'
import { lighthouseCues } from '@subtext/evidence/testing'
import type { SummarySource } from '../summarizer.ts'

const SUBJECTS = [
  'harbour',
  'lighthouse',
  'ferry',
  'anchor',
  'compass',
  'sailor',
  'storm',
  'island',
  'channel',
  'pilot',
]
const VERBS = ['measures', 'repairs', 'describes', 'compares', 'forgets', 'collects', 'explains']
const OBJECTS = ['the tide', 'a broken gauge', 'old soundings', 'the evening sky', 'lamp oil', 'faded numbers']

/** Creates `count` lines of speech, each unlike its neighbors, one every four seconds. */
export const newTalk = (count: number): Cue[] =>
  Array.from({ length: count }, (_, index) => {
    const pick = (words: string[]) => words[index % words.length]
    const text = `Entry ${index + 1}: the ${pick(SUBJECTS)} ${pick(VERBS)} ${pick(OBJECTS)}.`
    return { startMs: index * 4_000, durationMs: 3_900, text }
  })

interface SourceOptions extends Partial<Omit<SummarySource, 'cues'>> {
  /** Of the track. */
  language?: string
  kind?: TrackKind
  title?: string
  chapters?: VideoInfo['chapters']
}

export function newSource(cues: Cue[], options: SourceOptions = {}): SummarySource {
  const { language = 'en', kind = 'manual', title = 'A talk', chapters = [], ...overrides } = options
  return {
    video: { ...newVideoInfo('abcdefghijk'), title, chapters, duration_seconds: cues.length * 4 },
    track: { key: language, language, kind, name: language, isDefault: true },
    cues,
    instructions: null,
    outputLanguage: null,
    ...overrides,
  }
}

/** Returns the talk about lighthouses with captions in one language, to be summarized in another. */
export const newLighthouse = (language: string, outputLanguage: string | null): SummarySource =>
  newSource(lighthouseCues(language), { language, outputLanguage })

/** Few enough lines for one request for all modes. */
export const SHORT = newSource(newTalk(60))
/** Long enough for the cache. */
export const HOUR = newSource(newTalk(900))
