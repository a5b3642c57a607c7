import type { SampleCue, SampleVideo } from '@subtext/sample-platform/protocol'

const CUE_MS = 4800
const PART_MS = 600_000

const SUBJECTS = [
  'the harbour master',
  'a careful reader',
  'the night shift',
  'every apprentice',
  'the survey team',
  'an old almanac',
  'the lighthouse keeper',
  'a visiting engineer',
  'the tide table',
  'our second archive',
  'the weather office',
  'a patient clerk',
]
const VERBS = [
  'records',
  'compares',
  'questions',
  'repairs',
  'measures',
  'describes',
  'forgets',
  'confirms',
  'doubts',
  'collects',
  'explains',
]
const OBJECTS = [
  'the height of the spring tide',
  'a broken pressure gauge',
  'three pages of soundings',
  'the colour of the evening sky',
  'a letter from the islands',
  'the price of lamp oil',
  'the depth of the channel',
  'a map without a scale',
  'the first frost of the year',
  'a row of faded numbers',
  'the weight of the anchor chain',
  'a missing column of figures',
  'the sound of the fog horn',
]
const PLACES = [
  'before the ferry leaves',
  'on a quiet morning',
  'after the long winter',
  'with a borrowed pencil',
  'beside the northern quay',
  'as the rules require',
  'for the third time',
]

/**
 * Builds a video of any length with an auto-generated track, deterministic and with about 3,800 json3 events per hour.
 * Every line contains its number, and every ten minutes start with a line that names the part, so that any missing line
 * is noticed.
 */
export function longVideo(options: { id: string; hours: number; title?: string }): SampleVideo {
  const lengthSeconds = Math.round(options.hours * 3600)
  let cues: readonly SampleCue[] | undefined
  return {
    id: options.id,
    title: options.title ?? `The Harbour Log, read aloud (${options.hours} hours)`,
    language: 'en',
    purpose: `An auto-generated track of ${options.hours} hours`,
    author: 'Subtext Sample Endurance',
    channelId: 'UCsubtextSampleEndurance',
    description: 'Entries of a harbour log that never existed.',
    lengthSeconds,
    published: '2026-01-05T00:00:00-00:00',
    viewCount: 3,
    tracks: [
      {
        language: 'en',
        kind: 'auto',
        name: 'English (auto-generated)',
        cues: () => {
          cues ??= writeLog(lengthSeconds * 1000)
          return cues
        },
      },
    ],
  }
}

function writeLog(lengthMs: number): SampleCue[] {
  const total = Math.floor(lengthMs / CUE_MS)
  return Array.from({ length: total }, (_, index) => {
    const startMs = index * CUE_MS
    const part = Math.floor(startMs / PART_MS)
    const opensPart = index === 0 || Math.floor((startMs - CUE_MS) / PART_MS) < part
    const text = opensPart ? `part ${part + 1} of the harbour log begins with entry ${index + 1}` : writeEntry(index)
    return { startMs, durationMs: CUE_MS - 200, text }
  })
}

/** The lengths of the lists are coprime, so that a sentence is repeated only after 12,012 entries. */
function writeEntry(index: number): string {
  const pick = (words: readonly string[]) => words[index % words.length] ?? ''
  return `entry ${index + 1} ${pick(SUBJECTS)} ${pick(VERBS)} ${pick(OBJECTS)} ${pick(PLACES)}`
}
