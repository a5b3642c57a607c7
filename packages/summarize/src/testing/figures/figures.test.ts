import { createExtractiveSummarizer } from '../../extractive/extractive-summarizer.ts'
import type { Rouge } from '../rouge.ts'
import { isFlawed } from './flaws.ts'
import { judgePoint } from './judge-point.ts'
import { measureSummaries } from './measure-summaries.ts'
import { speakDocument } from './spoken-document.ts'
import { SPOKEN_SAMPLES } from './spoken-samples.ts'

const meanOf = (scores: Rouge[]): number => scores.reduce((sum, { one }) => sum + one, 0) / scores.length

test('shows mostly whole sentences of automatic captions that can be read alone', async () => {
  const english = await measureSummaries(
    SPOKEN_SAMPLES.filter(({ language }) => language === 'en'),
    createExtractiveSummarizer(),
  )
  expect(english.flawed / english.points).toBeLessThan(0.4)
  const all = await measureSummaries(SPOKEN_SAMPLES, createExtractiveSummarizer())
  expect(all.documents).toBe(10)
  expect(all.complete / all.points).toBeGreaterThan(0.5)
  expect(all.quoted / all.points).toBeLessThan(0.25)
  expect(meanOf(all.rouge.ours)).toBeGreaterThan(meanOf(all.rouge.lead) * 1.05)
})

const TRACK = speakDocument({
  language: 'en',
  title: 'Boats',
  paragraphs: ['So the old boat leaks on both sides. Nobody repairs the old boat in winter. We wait for spring.'],
})
const IDS = TRACK.source.cues.map((_, i) => i + 1)

test.each([
  ['The old boat leaks on both sides.', true, true],
  ['So the old boat leaks on both sides nobody repairs the old boat in winter.', true, false],
  ['Nobody repairs the old boat in winter we wait.', false, false],
  ['Repairs the old boat in winter.', false, false],
  ['Nobody said this.', false, false],
])('judges %j', (text, isComplete, isOne) => {
  expect(judgePoint(TRACK, { text, segmentIds: IDS })).toEqual({ isComplete, isOne })
})

test.each([
  ['The council rejected the plan to sell the pier.', false],
  ['And the council rejected the plan to sell it.', true],
  ['They rejected the plan to sell the pier.', true],
  ['The council rejected the plan to sell the.', true],
  ['The council rejected rejected the plan to sell.', true],
  ['We wait here.', true],
])('tells whether %j has a flaw', (text, expected) => {
  expect(isFlawed(text)).toBe(expected)
})
