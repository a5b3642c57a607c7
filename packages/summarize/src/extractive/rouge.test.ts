import { SAMPLE_TALKS } from '@subtext/fakes'
import { REFERENCES } from '../testing/reference-summaries.ts'
import { measureRouge, type Rouge } from '../testing/rouge.ts'
import { spokenCues } from '../testing/sample-cues.ts'
import { newSource } from '../testing/source.ts'
import { createExtractiveSummarizer } from './extractive-summarizer.ts'

const SAMPLES = Object.entries(REFERENCES).map(([name, reference]) => {
  const [talk = '', language = ''] = name.split(' ')
  const { title, tracks } = SAMPLE_TALKS[talk as keyof typeof SAMPLE_TALKS]
  const cues = tracks.find((track) => track.language === language)?.cues() ?? []
  return { name, language, title, reference, cues: cues.map((cue) => ({ ...cue })) }
})

const join = (language: string) => (/^(?:ja|zh)/.test(language) ? '' : ' ')
const meanOf = (scores: Rouge[], pick: (score: Rouge) => number) =>
  scores.reduce((sum, score) => sum + pick(score), 0) / scores.length
const total = ({ one, two, longest }: Rouge) => (one + two + longest) / 3

/** Scores the summary of three sentences, and the same amount of text from the beginning. */
async function score(sample: (typeof SAMPLES)[0], kind: 'manual' | 'auto') {
  const { cues, language, title, reference } = sample
  const spoken = kind === 'manual' ? cues : spokenCues({ language, sentences: cues.map(({ text }) => text) })
  let summary = ''
  await createExtractiveSummarizer().summarize(newSource(spoken, { language, title, kind }), ['tldr'], {
    signal: new AbortController().signal,
    onSummary: async ({ content }) => {
      summary = content.overview.map(({ text }) => text).join(join(language))
    },
    onSpending: async () => {},
  })
  let lead = ''
  for (const { text } of spoken) {
    if (lead.length >= summary.length) break
    lead += `${lead === '' ? '' : join(language)}${text}`
  }
  return {
    ours: measureRouge(summary, reference, language),
    lead: measureRouge(lead, reference, language),
  }
}

test('compares ten talks in nine languages with summaries by a person', () => {
  expect(SAMPLES).toHaveLength(10)
  expect(new Set(SAMPLES.map(({ language }) => language)).size).toBe(9)
  for (const { cues } of SAMPLES) expect(cues.length).toBeGreaterThan(30)
})

test.each(['manual', 'auto'] as const)(
  '%s captions: writes summaries that are closer to those of a person than the beginning is',
  async (kind) => {
    const scores = []
    for (const sample of SAMPLES) scores.push(await score(sample, kind))
    const [ours, lead] = [scores.map((entry) => entry.ours), scores.map((entry) => entry.lead)]
    for (const pick of [({ one }: Rouge) => one, ({ two }: Rouge) => two, ({ longest }: Rouge) => longest]) {
      expect(meanOf(ours, pick)).toBeGreaterThan(meanOf(lead, pick) * 1.1)
    }
    // Nobody writes a better summary of a talk that begins with one.
    expect(scores.filter((entry) => total(entry.ours) > total(entry.lead)).length).toBeGreaterThanOrEqual(7)
  },
)

test('measures the overlap of two texts', () => {
  expect(measureRouge('the cat sat', 'the cat sat', 'en')).toEqual({ one: 1, two: 1, longest: 1 })
  expect(measureRouge('police killed the gunman', 'police kill the gunman', 'en')).toEqual({
    one: 0.75,
    two: 1 / 3,
    longest: 0.75,
  })
  expect(measureRouge('a b', 'c d', 'en')).toEqual({ one: 0, two: 0, longest: 0 })
})
