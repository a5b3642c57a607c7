import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { useTestDatabase } from '@subtext/db/testing'
import { waitUntil } from '@subtext/embedded/testing'
import { acquireLease, releaseLease, takeLease } from './leases-sql.ts'
import { acquireAfterLooking, type Flight, singleFlight } from './single-flight.ts'

const { db } = useTestDatabase({ maxConnections: 5 })

/** Each caller has a signal of its own, as each job does. */
const neverAborted = () => new AbortController().signal

/** Looks and acquires in two steps. */
const startBy =
  <T>(find: () => Promise<T | null>): Flight<T>['start'] =>
  async (lease) => {
    const found = await find()
    return found === null ? { lease: await acquireAfterLooking({ db }, lease) } : { found }
  }

/** Creates work whose result is stored where all callers can find it. */
function newWork(produce: (time: number) => Promise<string> = async () => 'done') {
  const work = { key: randomUUID(), count: 0, running: 0, maxRunning: 0, result: null as string | null }
  const run = (signal = neverAborted()) =>
    singleFlight({ db }, work.key, signal, {
      start: startBy(async () => work.result),
      produce: async () => {
        work.running++
        work.maxRunning = Math.max(work.maxRunning, work.running)
        try {
          const result = await produce(++work.count)
          work.result = result
          return result
        } finally {
          work.running--
        }
      },
    })
  return { work, run }
}

test('one of 20 callers does the work, and all of them get its result', async () => {
  const { work, run } = newWork(async () => {
    await sleep(150)
    return 'done'
  })
  expect(await Promise.all(Array.from({ length: 20 }, () => run()))).toEqual(Array(20).fill('done'))
  expect(work.count).toBe(1)
})

test('does not repeat finished work', async () => {
  const { work, run } = newWork()
  work.result = 'before'
  expect(await run()).toBe('before')
  expect(work.count).toBe(0)
})

test('does not wait for work with another key', async () => {
  const held = randomUUID()
  await acquireLease(db, held, randomUUID(), 60)
  expect(await newWork().run()).toBe('done')
})

test('only the caller whose work failed gets the error, and the next one tries again', async () => {
  const { work, run } = newWork(async (time) => {
    await sleep(50)
    if (time <= 2) throw new Error(`failure ${time}`)
    return 'done'
  })
  const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => run()))
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(2)
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value === 'done')).toHaveLength(4)
  expect(work).toMatchObject({ count: 3, maxRunning: 1 })
})

test('work whose result cannot be found is repeated by each caller, never by two at once', async () => {
  const { work, run } = newWork(async () => {
    await sleep(10)
    return 'done'
  })
  const runs = Array.from({ length: 4 }, async () => {
    const outcome = await run()
    work.result = null
    return outcome
  })
  await Promise.all(runs)
  expect(work.maxRunning).toBe(1)
})

test('a waiting caller can give up at once, while the work continues', async () => {
  let finish = (): void => {}
  const { work, run } = newWork(async () => {
    await new Promise<void>((resolve) => {
      finish = resolve
    })
    return 'done'
  })
  const worker = run()
  await waitUntil('the work has started', () => work.running === 1)
  const leaving = new AbortController()
  const waiting = run(leaving.signal)
  setTimeout(() => leaving.abort(new Error('leaving')), 20)
  await expect(waiting).rejects.toThrow()
  expect(work.result).toBeNull()
  finish()
  expect(await worker).toBe('done')
  await expect(run(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
})

test('another worker continues after the lease of a dead one has expired', async () => {
  const { work, run } = newWork()
  const started = performance.now()
  await acquireLease(db, work.key, randomUUID(), 1)
  expect(await run()).toBe('done')
  // The clocks of both processes may differ a little.
  expect(performance.now() - started).toBeGreaterThan(900)
  expect(work.count).toBe(1)
})

test('reports a failed read, and does not keep the lease', async () => {
  const key = randomUUID()
  let reads = 0
  const find = async (): Promise<string | null> => {
    if (++reads === 2) throw new Error('unreadable')
    return null
  }
  const flight = { start: startBy(find), produce: async () => 'done' }
  await expect(singleFlight({ db }, key, neverAborted(), flight)).rejects.toThrow('unreadable')
  expect(await singleFlight({ db }, key, neverAborted(), flight)).toBe('done')
})

describe('a start in one statement', () => {
  /** Counts the looks, each of which finds nothing at first. */
  function newFlight() {
    const seen = { looks: 0, result: null as string | null }
    const flight: Flight<string> = {
      async start(lease) {
        seen.looks++
        return seen.result ? { found: seen.result } : { lease: await takeLease(db, lease) }
      },
      produce: async () => 'produced',
    }
    return { seen, flight, key: randomUUID() }
  }

  test('looks once if nobody held the lease before', async () => {
    const { seen, flight, key } = newFlight()
    expect(await singleFlight({ db }, key, neverAborted(), flight)).toBe('produced')
    expect(seen.looks).toBe(1)
  })

  test('looks again if another worker held it, and finds what that worker stored', async () => {
    const { seen, flight, key } = newFlight()
    const other = { key, token: randomUUID(), seconds: 60 }
    await takeLease(db, other)
    await releaseLease(db, other)
    const { start } = flight
    flight.start = async (lease) => {
      const started = await start(lease)
      seen.result = 'stored by the other'
      return started
    }
    expect(await singleFlight({ db }, key, neverAborted(), flight)).toBe('stored by the other')
    expect(seen.looks).toBe(2)
  })

  test('starts over after the work has lost its lease', async () => {
    const { seen, flight, key } = newFlight()
    flight.produce = async (lease) => {
      seen.result = 'stored by the other'
      return lease.endWith(async () => null)
    }
    expect(await singleFlight({ db }, key, neverAborted(), flight)).toBe('stored by the other')
  })
})

test('a lease that the last write has released is not extended or released again', async () => {
  const key = randomUUID()
  const other = { key, token: randomUUID(), seconds: 60 }
  const flight: Flight<string> = {
    leaseSeconds: 0.03,
    start: async (lease) => ({ lease: await takeLease(db, lease) }),
    produce: (lease) =>
      lease.endWith(async (held) => {
        await releaseLease(db, held)
        await waitUntil('another worker has the lease', async () => (await takeLease(db, other)) !== 'held')
        await sleep(100)
        return 'done'
      }),
  }
  expect(await singleFlight({ db }, key, neverAborted(), flight)).toBe('done')
  expect(await acquireLease(db, key, randomUUID(), 60)).toBe(false)
})

test('does not get back a lease that another worker has taken over and released meanwhile', async () => {
  const key = randomUUID()
  const other = { key, token: randomUUID(), seconds: 60 }
  let attempts = 0
  const query: typeof db.query = (text, values) => {
    attempts++
    return db.query(text, values)
  }
  let isHeld: boolean | undefined
  await singleFlight({ db: { ...db, query } }, key, neverAborted(), {
    leaseSeconds: 0.03,
    start: async (lease) => ({ lease: await takeLease(db, lease) }),
    async produce() {
      await db.query("UPDATE leases SET token = $2, until = now() - interval '1 s' WHERE key = $1", [key, other.token])
      await releaseLease(db, other)
      const before = attempts
      await waitUntil('it has tried to extend its lease', () => attempts > before + 2)
      const { rows } = await db.query<{ token: string }>('SELECT token FROM leases WHERE key = $1', [key])
      isHeld = rows[0]?.token !== other.token
      return 'done'
    },
  })
  expect(isHeld).toBe(false)
})

describe('a lease that the caller has acquired', () => {
  const acquire = async () => {
    const lease = { key: randomUUID(), token: randomUUID(), seconds: 60 }
    await takeLease(db, lease)
    return lease
  }
  const neverStarts = () => Promise.reject(new Error('looked again'))

  test('is used without another lookup, and released', async () => {
    const acquired = await acquire()
    const flight = { acquired, start: neverStarts, produce: async () => 'done' }
    expect(await singleFlight({ db }, acquired.key, neverAborted(), flight)).toBe('done')
    expect(await acquireLease(db, acquired.key, randomUUID(), 60)).toBe(true)
  })

  test.each([
    ['the work fails', neverAborted(), () => Promise.reject(new Error('failed'))],
    ['the caller has given up', AbortSignal.abort(new Error('failed')), async () => 'done'],
  ])('is released if %s', async (_, signal, produce) => {
    const acquired = await acquire()
    const flight = { acquired, start: neverStarts, produce }
    await expect(singleFlight({ db }, acquired.key, signal, flight)).rejects.toThrow('failed')
    expect(await acquireLease(db, acquired.key, randomUUID(), 60)).toBe(true)
  })

  test('is followed by another lookup if it was lost in the meantime', async () => {
    const acquired = await acquire()
    const flight: Flight<string> = {
      acquired,
      start: async () => ({ found: 'stored by the other' }),
      produce: (lease) => lease.endWith(async () => null),
    }
    expect(await singleFlight({ db }, acquired.key, neverAborted(), flight)).toBe('stored by the other')
  })
})
