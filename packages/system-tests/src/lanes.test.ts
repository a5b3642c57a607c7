import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '@subtext/embedded/testing'
import { type LaneTrial, type LaneTrialOptions, openLaneTrial, percentile } from '@subtext/worker/testing'
import { v7 as newId } from 'uuid'

/** Of the eight that a worker has. */
const HIGH_SLOTS = 6
/** Some tenths of a second, and as much again for a loaded machine; in the order of arrival each would wait for far longer. */
const SOON_MS = 3_000

let trial: LaneTrial | undefined
afterEach(async () => {
  await trial?.close()
  trial = undefined
})
const open = async (options: LaneTrialOptions): Promise<LaneTrial> => {
  trial = await openLaneTrial(options)
  return trial
}
const newUsers = (count: number) => Array.from({ length: count }, () => newId())
const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, one) => total + one, 0)
const started = (waits: (number | null)[]) => waits.filter((wait) => wait !== null).length

/** `count` calls, one every `everyMs`, whatever they take. */
async function pace(count: number, everyMs: number, call: (nth: number) => Promise<string[]>): Promise<string[]> {
  const calls: Promise<string[]>[] = []
  const began = performance.now()
  for (let nth = 0; nth < count; nth++) {
    calls.push(call(nth))
    await sleep(Math.max(0, began + (nth + 1) * everyMs - performance.now()))
  }
  return (await Promise.all(calls)).flat()
}

test('5,000 normal jobs wait, high jobs take 70 % of their slots: each starts soon', async () => {
  const { submit, start, waits, running } = await open({ jobMs: 1_000 })
  await Promise.all(newUsers(10).map((userId) => submit(userId, 'normal', 500)))
  start()
  // Each caller sends the next one when the last has ended: so many slots are taken, however slow the machine is.
  const callers = newUsers(Math.floor(HIGH_SLOTS * 0.7)).map(async (userId) => {
    const sent: string[] = []
    for (let nth = 0; nth < 8; nth++) {
      const job = await submit(userId, 'high', 1)
      await waitUntil('it starts', async () => started(await waits(job)) === 1, 60_000)
      await waitUntil('it ends', async () => !(await running('high')).has(userId), 60_000)
      sent.push(...job)
    }
    return sent
  })
  const high = (await Promise.all(callers)).flat()
  expect(percentile(await waits(high), 0.95)).toBeLessThan(SOON_MS)
})

test('under a flood of high jobs a lone normal job starts soon, and the normal lane keeps its quarter', async () => {
  const { submit, start, waits, running } = await open({ jobMs: 500 })
  const high = (await Promise.all(newUsers(10).map((userId) => submit(userId, 'high', 30)))).flat()
  start()
  await waitUntil('the flood', async () => sum((await running('high')).values()) === 6)
  const [user, ...others] = newUsers(5) as [string, ...string[]]
  const lone = await submit(user, 'normal', 1)
  await waitUntil('it starts', async () => started(await waits(lone)) === 1)
  expect(percentile(await waits(lone), 1)).toBeLessThan(SOON_MS)

  const normal = (await Promise.all(others.map((userId) => submit(userId, 'normal', 20)))).flat()
  const before = started(await waits(high))
  await waitUntil('a part of the flood is over', async () => started(await waits(high)) >= before + 90)
  const share = started(await waits(normal)) / (started(await waits(normal)) + started(await waits(high)) - before)
  // A quarter, but for what was just about to start at either end.
  expect(share).toBeGreaterThan(0.2)
})

test.each([
  ['normal', 7],
  ['high', 5],
] as const)('one account does not fill the %s lane: others do not notice its hundred jobs', async (lane, most) => {
  const jobMs = 1_200
  const { submit, start, waits, running } = await open({ jobMs })
  const [crowd, lone] = newUsers(2) as [string, string]
  await submit(crowd, lane, 100)
  start()
  await waitUntil('it is under way', async () => (await running(lane)).get(crowd) === most)
  const jobs = await pace(6, jobMs, async () => {
    expect((await running(lane)).get(crowd)).toBeLessThanOrEqual(most)
    return submit(lone, lane, 1)
  })
  await waitUntil('all have started', async () => started(await waits(jobs)) === jobs.length)
  expect(percentile(await waits(jobs), 0.95)).toBeLessThan(2 * SOON_MS)
})

test('an account alone uses what would be idle; with a second one there they share', async () => {
  const { submit, start, running } = await open({ jobMs: 400 })
  const [first, second] = newUsers(2) as [string, string]
  await submit(first, 'normal', 60)
  start()
  await waitUntil('it has all but the reserve', async () => (await running('normal')).get(first) === 7)
  await submit(second, 'normal', 60)
  await waitUntil('both have their share', async () => {
    const now = await running('normal')
    return (now.get(first) ?? 0) <= 5 && (now.get(second) ?? 0) >= 3
  })
})
