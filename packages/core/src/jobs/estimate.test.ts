import { createDurationEstimator, estimateSeconds as estimateAt, type RecentPace } from './estimate.ts'
import type { Job } from './job-row.ts'

const at = (second: number): Date => new Date(Date.UTC(2026, 10, 21, 12, 0, second))
const job = (overrides: Partial<Job> = {}, modes = 1) =>
  ({
    status: 'queued',
    lane: 'normal',
    progress: 0,
    createdAt: at(0),
    options: { summary_modes: Array.from({ length: modes }, () => 'tldr') },
    ...overrides,
  }) as Job
const runs = (...seconds: number[]) => seconds.map((each) => ({ processingMs: each * 1_000, modes: 1 }))
const pace = (overrides: Partial<RecentPace>): RecentPace => ({ runs: [], loads: [], ...overrides })
const estimateSeconds = (of: Job, by: RecentPace): number => estimateAt(of, by, at(0))
const load = { lane: 'normal' as const, waiting: 1, running: 0, oldestAt: at(0), newestAt: at(0) }

test('is a guess below the typical 30 seconds before any job has completed', () => {
  const guess = estimateSeconds(job(), pace({}))
  expect(guess).toBeGreaterThan(5)
  expect(guess).toBeLessThan(30)
})

test('is the remaining part of the median duration of recent jobs', () => {
  const recent = pace({ runs: runs(90, 4, 10) })
  expect(estimateSeconds(job(), recent)).toBe(10)
  expect(estimateSeconds(job({ status: 'processing', progress: 40 }), recent)).toBe(6)
  expect(estimateSeconds(job(), pace({ runs: runs(4, 10) }))).toBe(7)
})

test('includes the rest of a pause', () => {
  const recent = pace({ runs: runs(10) })
  expect(estimateSeconds(job({ status: 'processing', nextAttemptAt: at(30) }), recent)).toBe(40)
  expect(estimateSeconds(job({ status: 'processing', nextAttemptAt: at(-30) }), recent)).toBe(10)
})

test('is at least one second until the job has ended', () => {
  expect(estimateSeconds(job({ status: 'processing', progress: 100 }), pace({ runs: runs(0) }))).toBe(1)
})

test('uses only jobs with as many modes if there are enough of them', () => {
  const five = Array.from({ length: 5 }, () => ({ processingMs: 60_000, modes: 5 }))
  const recent = pace({ runs: [...runs(2, 2, 2, 2, 2, 2, 2), ...five] })
  expect(estimateSeconds(job({}, 5), recent)).toBe(60)
  expect(estimateSeconds(job({}, 1), recent)).toBe(2)
  expect(estimateSeconds(job({}, 3), recent)).toBe(2)
})

describe('of a queued job', () => {
  const queue = { ...load, waiting: 101, running: 4, oldestAt: at(0), newestAt: at(10) }
  const recent = pace({ runs: runs(8), loads: [queue] })

  test('adds nothing if no other job waits in its lane', () => {
    expect(estimateSeconds(job(), pace({ runs: runs(8), loads: [load] }))).toBe(8)
    expect(estimateSeconds(job({ lane: 'high' }), recent)).toBe(8)
  })

  test.each([
    ['first', 0, 8],
    ['in the middle', 5, 108],
    ['last', 10, 208],
    ['after the last one that was counted', 11, 210],
  ])('adds the time that a hundred other jobs, four at a time, take for one that is %s', (_, second, seconds) => {
    expect(estimateSeconds(job({ createdAt: at(second) }), recent)).toBe(seconds)
  })

  test('adds nothing once the job is being processed', () => {
    expect(estimateSeconds(job({ status: 'processing', createdAt: at(10) }), recent)).toBe(8)
  })
})

test('of all summaries with an infographic is not shorter than of the summaries alone', async () => {
  const five = Array.from({ length: 5 }, () => ({ processingMs: 60_000, modes: 5 }))
  const recent = pace({ runs: [...runs(2, 2, 2, 2, 2, 2, 2), ...five] })
  const estimate = createDurationEstimator({ clock: () => at(0) }, async () => recent)
  for (const writes of [5, 6]) expect(await estimate('normal', [{ writes, hasTranscript: false }])).toBe(60)
})
