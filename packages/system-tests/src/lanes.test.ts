import { LANES, type Lane } from '@subtext/contracts'
import { waitUntil } from '@subtext/embedded/testing'
import { type LaneTrial, openLaneTrial, type RunningJob } from '@subtext/worker/testing'
import { v7 as newId } from 'uuid'

/** Slots of a worker, and how many of them belong to high jobs. The rest belong to normal jobs. */
const SLOTS = 8
const HIGH_SLOTS = 6
const NORMAL_SLOTS = SLOTS - HIGH_SLOTS

let trial: LaneTrial
beforeEach(async () => {
  trial = await openLaneTrial({ concurrency: SLOTS, maxRunning: 5 })
})
afterEach(() => trial.close())

const newUsers = (count: number) => Array.from({ length: count }, () => newId())
const submitEach = (users: string[], lane: Lane, count: number) =>
  Promise.all(users.map((userId) => trial.submit(userId, lane, count)))
const runningIn = async (lane: Lane): Promise<RunningJob[]> =>
  (await trial.running()).filter((job) => job.lane === lane)
const runningOf = async (userId: string): Promise<RunningJob[]> =>
  (await trial.running()).filter((job) => job.userId === userId)
const untilRunning = (lane: Lane, count: number) =>
  waitUntil(`${count} ${lane} jobs are running`, async () => (await runningIn(lane)).length === count)

test('high jobs start although normal jobs have taken all slots and hundreds more wait', async () => {
  await submitEach(newUsers(10), 'normal', 30)
  trial.start()
  await untilRunning('normal', SLOTS)
  for (let round = 0; round < 8; round++) {
    const callers = newUsers(4)
    await submitEach(callers, 'high', 1)
    await untilRunning('high', callers.length)
    // No normal job has ended, and so none has started: nothing but their own lane lets high jobs start.
    expect(await trial.countStarted('normal')).toBe(SLOTS)
    for (const job of await runningIn('high')) await trial.finish(job)
  }
})

test('normal jobs give back the slots that high jobs lent them', async () => {
  await submitEach(newUsers(10), 'normal', 10)
  trial.start()
  await untilRunning('normal', SLOTS)
  await submitEach(newUsers(10), 'high', 10)
  await untilRunning('high', HIGH_SLOTS)
  // The first of these ends give slots back; only the last one, in a slot of the normal lane, lets the next normal job in.
  for (const job of (await runningIn('normal')).slice(0, HIGH_SLOTS + 1)) await trial.finish(job)
  await untilRunning('normal', NORMAL_SLOTS)
  expect(await trial.countStarted('normal')).toBe(SLOTS + 1)
  expect(await trial.countStarted('high')).toBe(HIGH_SLOTS)
})

test('under a flood of high jobs a lone normal job starts, and the normal lane keeps its quarter', async () => {
  await submitEach(newUsers(10), 'high', 30)
  trial.start()
  await untilRunning('high', HIGH_SLOTS)
  const [user, ...others] = newUsers(5) as [string, ...string[]]
  await trial.submit(user, 'normal', 1)
  await untilRunning('normal', 1)
  expect(await trial.countStarted('high')).toBe(HIGH_SLOTS)

  await submitEach(others, 'normal', 20)
  const before = { high: await trial.countStarted('high'), normal: await trial.countStarted('normal') }
  // Jobs end in the order of their start, as they would if all of them took the same time.
  for (let ended = 0; ended < 60; ended++) {
    await waitUntil('both lanes have their slots', async () => {
      const counts = await Promise.all(LANES.map(async (lane) => (await runningIn(lane)).length))
      return counts[LANES.indexOf('high')] === HIGH_SLOTS && (counts[LANES.indexOf('normal')] ?? 0) >= NORMAL_SLOTS
    })
    const [oldest] = await trial.running()
    if (oldest) await trial.finish(oldest)
  }
  const [high, normal] = [
    (await trial.countStarted('high')) - before.high,
    (await trial.countStarted('normal')) - before.normal,
  ]
  // A quarter, except for jobs that were about to start at the beginning or the end of the count.
  expect(normal / (normal + high)).toBeGreaterThan(0.2)
})

test.each([
  ['normal', SLOTS - 1],
  ['high', HIGH_SLOTS - 1],
] as const)('a hundred jobs of one account leave a slot of the %s lane to other accounts', async (lane, max) => {
  const [crowd, lone] = newUsers(2) as [string, string]
  await trial.submit(crowd, lane, 100)
  trial.start()
  await untilRunning(lane, max)
  for (let nth = 0; nth < 6; nth++) {
    await trial.submit(lone, lane, 1)
    const [job] = await waitUntil('the job of the other account starts', async () => {
      const jobs = await runningOf(lone)
      return jobs.length > 0 && jobs
    })
    expect(await trial.countStarted(lane, crowd)).toBe(max)
    if (job) await trial.finish(job)
  }
  expect(await runningOf(crowd)).toHaveLength(max)
})

test('an account alone uses slots that would be idle, and shares them with a second account', async () => {
  const [first, second] = newUsers(2) as [string, string]
  await trial.submit(first, 'normal', 60)
  trial.start()
  await untilRunning('normal', SLOTS - 1)
  await trial.submit(second, 'normal', 60)
  // Each job of the first account that ends while it exceeds its share of five gives a slot to the second account.
  for (let ended = 0; ended < 2; ended++) {
    const [oldest] = await runningOf(first)
    if (oldest) await trial.finish(oldest)
    await untilRunning('normal', SLOTS)
  }
  expect((await runningOf(first)).length).toBeLessThanOrEqual(5)
  expect((await runningOf(second)).length).toBeGreaterThanOrEqual(3)
  expect(await trial.countStarted('normal', first)).toBe(SLOTS - 1)
})
