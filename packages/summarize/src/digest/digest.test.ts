import { createCostComputer, type TextModel } from '@subtext/llm'
import { composeDigest, groupByTerms, groupPoints } from './index.ts'
import type { SummarizedPoint } from './types.ts'

const point = (jobId: string, text: string): SummarizedPoint => ({ jobId, text, segmentIds: [1] })
const POINTS = [
  point('a', 'The ridge runs for 65,000 kilometers through all oceans.'),
  point('a', 'Tharp plotted six profiles by hand.'),
  point('b', 'The ridge runs for 40,000 kilometers, most of it in the Atlantic.'),
  point('b', 'Earthquakes follow the rift along the ridge.'),
  point('c', 'Bees choose a hollow tree of forty liters.'),
]
const VIDEOS = ['a', 'b', 'c'].map((jobId) => ({ jobId, title: `Video ${jobId}`, channel: 'Channel' }))
const usage = { inputTokens: 1_000, outputTokens: 10, cachedInputTokens: 0, cacheWriteTokens: 0 }

/** Lets a model answer with these, one after the other. */
async function group(...answers: (object | string)[]) {
  const prompts: string[] = []
  const model: TextModel = {
    model: 'claude-haiku-5-5',
    async complete({ document }) {
      prompts.push(document)
      const answer = answers[prompts.length - 1]
      return { text: typeof answer === 'string' ? answer : JSON.stringify(answer), stop: 'complete', usage }
    },
  }
  const priced = { model, computeCostUsd: createCostComputer() }
  const request = {
    key: 'k',
    points: POINTS,
    videos: VIDEOS,
    language: 'en',
    outputLanguage: 'en',
    focus: null,
    limits: {},
  }
  const grouped = await groupPoints(priced as never, request, { signal: new AbortController().signal })
  return { ...grouped, prompts }
}
const theme = (heading: string, segment_ids: number[]) => ({ heading, segment_ids })
const disagree = (question: string, ...ids: number[]) => ({
  question,
  positions: ids.map((id) => ({ segment_ids: [id] })),
})

test('a model groups points by their numbers, and texts come from the points', async () => {
  const { groups, prompts } = await group({
    themes: [theme('The ridge', [1, 3, 4]), theme('Bees', [5])],
    disagreements: [disagree('How long is the ridge?', 1, 3)],
  })
  expect(prompts[0]).toContain('[3] The ridge runs for 40,000')
  const digest = composeDigest(POINTS, groups ?? { themes: [], disagreements: [] })
  expect(digest).toEqual({
    themes: [
      { title: 'The ridge', points: [POINTS[0], POINTS[2], POINTS[3]] },
      { title: 'Bees', points: [POINTS[4]] },
    ],
    disagreements: [{ question: 'How long is the ridge?', positions: [POINTS[0], POINTS[2]] }],
    pointsUsed: 4,
  })
})

test('a point is in one theme, and numbers that nobody has are in none', async () => {
  const { groups } = await group({
    themes: [theme('The ridge', [1, 1, 99, 0, -3]), theme('The ridge again', [1, 3]), theme('Ridge', [1])],
    disagreements: [],
  })
  expect(groups?.themes.map(({ points }) => points)).toEqual([[0], [2]])
})

test.each([
  ['shares no word with them', 'Elephants'],
  ['says a number that they do not', 'The ridge of 1953'],
  ['names somebody whom they do not', 'The ridge of Cousteau'],
  ['has an address', 'The ridge https://evil.invalid'],
  ['has a tag', 'The ridge <b>'],
  ['negates them', 'The ridge does not run through all oceans'],
  ['repeats the rules', 'You put together a digest of many videos from points ridge'],
])('a heading that %s is replaced by words of its points', async (_, heading) => {
  const { groups } = await group({ themes: [theme(heading, [1])], disagreements: [] })
  expect(groups?.themes).toEqual([{ title: 'The ridge runs for 65,000 kilometers …', points: [0] }])
})

test.each([
  ['between points of one video', disagree('How long is the ridge?', 1, 2)],
  ['about different matters', disagree('What do bees and the ridge have in common?', 2, 5)],
  ['with a single position', disagree('How long is the ridge?', 1)],
  ['whose question shares no word with its positions', disagree('Why do elephants sleep?', 1, 3)],
])('drops a disagreement %s', async (_, disagreement) => {
  const { groups } = await group({ themes: [theme('The ridge', [1])], disagreements: [disagreement] })
  expect(groups?.disagreements).toEqual([])
})

test('an answer that cannot be used is asked for once more, and both are billed', async () => {
  const { groups, prompts, bill } = await group('nonsense', { themes: [theme('Bees', [5])], disagreements: [] })
  expect([groups?.themes.length, prompts.length, bill.total()?.inputTokens]).toEqual([1, 2, 2_000])
  expect((await group('nonsense', 'nonsense', 'nonsense')).prompts).toHaveLength(2)
})

test('without a model, points are grouped by the terms that they share', () => {
  const { themes, disagreements } = groupByTerms(POINTS, 'en')
  expect(themes[0]).toEqual({ title: 'Ridge', points: [0, 2, 3] })
  expect(disagreements).toEqual([])
  expect(new Set(themes.flatMap(({ points }) => points)).size).toBe(themes.flatMap(({ points }) => points).length)
  expect(groupByTerms([], 'en')).toEqual({ themes: [], disagreements: [] })
})
