import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { acquireLease } from '@subtext/db'
import { useTestDatabase } from '@subtext/db/testing'
import { singleFlight } from './single-flight.ts'

const { db } = useTestDatabase({ maxConnections: 5 })

const NEVER = new AbortController().signal

/** Work whose outcome is kept where all callers can find it. */
function newWork(produce: (time: number) => Promise<string> = async () => 'done') {
  const work = { key: randomUUID(), made: 0, atOnce: 0, most: 0, kept: null as string | null }
  const run = (signal = NEVER) =>
    singleFlight({ db }, work.key, signal, {
      find: async () => work.kept,
      produce: async () => {
        work.most = Math.max(work.most, ++work.atOnce)
        try {
          const made = await produce(++work.made)
          work.kept = made
          return made
        } finally {
          work.atOnce--
        }
      },
    })
  return { work, run }
}

test('of 20 callers one does the work, and all have it', async () => {
  const { work, run } = newWork(async () => {
    await sleep(150)
    return 'done'
  })
  expect(await Promise.all(Array.from({ length: 20 }, () => run()))).toEqual(Array(20).fill('done'))
  expect(work.made).toBe(1)
})

test('finished work is not looked after again', async () => {
  const { work, run } = newWork()
  work.kept = 'before'
  expect(await run()).toBe('before')
  expect(work.made).toBe(0)
})

test('work of another name waits for nobody', async () => {
  const held = randomUUID()
  await acquireLease(db, held, randomUUID(), 60)
  expect(await newWork().run()).toBe('done')
})

test('when it fails the one who did it is told, and the next tries', async () => {
  const { work, run } = newWork(async (time) => {
    await sleep(50)
    if (time <= 2) throw new Error(`failure ${time}`)
    return 'done'
  })
  const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => run()))
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(2)
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value === 'done')).toHaveLength(4)
  expect(work).toMatchObject({ made: 3, most: 1 })
})

test('work that leaves nothing to be found is done by each in turn, never by two at once', async () => {
  const { work, run } = newWork(async () => {
    await sleep(10)
    return 'done'
  })
  const runs = Array.from({ length: 4 }, async () => {
    const outcome = await run()
    work.kept = null
    return outcome
  })
  await Promise.all(runs)
  expect(work.most).toBe(1)
})

test('who gives up while waiting goes at once, and the work goes on', async () => {
  const { work, run } = newWork(async () => {
    await sleep(400)
    return 'done'
  })
  const worker = run()
  await sleep(60)
  const leaving = new AbortController()
  const waiting = run(leaving.signal)
  setTimeout(() => leaving.abort(new Error('leaving')), 20)
  await expect(waiting).rejects.toThrow()
  expect(work.kept).toBeNull()
  expect(await worker).toBe('done')
  await expect(run(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
})

test('a worker that died is succeeded when its lease has run out', async () => {
  const { work, run } = newWork()
  await acquireLease(db, work.key, randomUUID(), 1)
  const started = performance.now()
  expect(await run()).toBe('done')
  expect(performance.now() - started).toBeGreaterThan(500)
  expect(work.made).toBe(1)
})

test('a store that cannot be read is an error, and nothing stays taken', async () => {
  const key = randomUUID()
  let looks = 0
  const find = async (): Promise<string | null> => {
    if (++looks === 2) throw new Error('unreadable')
    return null
  }
  const produce = async () => 'done'
  await expect(singleFlight({ db }, key, NEVER, { find, produce })).rejects.toThrow('unreadable')
  expect(await singleFlight({ db }, key, NEVER, { find, produce })).toBe('done')
})
