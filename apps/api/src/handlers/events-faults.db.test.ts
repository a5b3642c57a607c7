import { request as httpRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { reportStep } from '@subtext/core/jobs'
import { createApp } from '../app.ts'
import type { ApiContext } from '../context.ts'
import { createStreamLimiter } from '../http/event-stream.ts'
import { listen } from '../server.ts'
import { type EventApi, namesOf, openEventApi, readAllEvents } from '../testing/events.ts'
import { acceptTestJob, claimTestJob, completeTestJob } from '../testing/jobs.ts'

let world: EventApi
beforeAll(async () => {
  world = await openEventApi()
})
afterAll(() => world.close())

describe('what can go wrong', () => {
  test('foreign, unknown and malformed ids are not found, before any stream', async () => {
    const foreign = await acceptTestJob(world.api.context, await world.api.createKey())
    for (const id of [foreign, '0190b0c4-0000-7000-8000-000000000001', 'x', '%00']) {
      const response = await world.open(id)
      expect([response.status, await response.json()]).toMatchObject([404, { error: { code: 'NOT_FOUND' } }])
      expect(response.headers.get('content-type')).toContain('application/json')
    }
  })

  test('a malformed Host is no failure of ours', async () => {
    const port = await world.serve(world.api.context)
    const jobId = await acceptTestJob(world.api.context, world.key)
    await completeTestJob(world.api.context, jobId)
    const status = await new Promise((resolve, reject) => {
      const headers = { host: 'user:pass@[', 'x-api-key': world.key }
      const path = `/api/v1/videos/events/${jobId}`
      httpRequest({ host: '127.0.0.1', port, path, headers }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
        .on('error', reject)
        .end()
    })
    expect(status).toBe(200)
  })

  test('lost notifications delay events by seconds at most', async () => {
    const jobId = await acceptTestJob(world.api.context, world.key)
    const reader = await world.follow(jobId)
    await reader.next()
    const publish = () => Promise.reject(new Error('Redis is away.'))
    const mute = { ...world.api.context, notifier: { ...world.api.context.notifier, publish } }
    const started = performance.now()
    await reportStep(mute, await claimTestJob(mute, jobId), 'summarizing', 50)
    expect(await reader.next()).toMatchObject({ data: { progress_percentage: 50 } })
    expect(performance.now() - started).toBeLessThan(6_000)
  })

  test('a database that is away for a while does not end the stream', async () => {
    let away = false
    const query: ApiContext['db']['query'] = (text, values) =>
      away
        ? Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }))
        : world.api.context.db.query(text, values)
    const port = await world.serve({ ...world.api.context, db: { ...world.api.context.db, query } })
    const jobId = await acceptTestJob(world.api.context, world.key)
    const reader = await world.follow(jobId, { port })
    await reader.next()
    away = true
    await reportStep(world.api.context, await claimTestJob(world.api.context, jobId), 'summarizing', 50)
    const event = reader.next()
    expect(await Promise.race([event, sleep(1_000, 'silent')])).toBe('silent')
    away = false
    expect(await event).toMatchObject({ data: { progress_percentage: 50 } })

    away = true
    expect((await world.open(jobId, { port })).status).toBe(503)
  })

  test('no more streams than an account may have, until one is left', async () => {
    const port = await world.serve({ ...world.api.context, acquireStream: createStreamLimiter(1) })
    const jobId = await acceptTestJob(world.api.context, world.key)
    const leaving = new AbortController()
    await world.open(jobId, { port, signal: leaving.signal })
    const refused = await world.open(jobId, { port })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
    expect(await refused.json()).toMatchObject({ error: { code: 'RATE_LIMITED' } })
    leaving.abort()
    let status = 429
    for (let tries = 0; status === 429 && tries < 100; tries++) {
      await sleep(20)
      const again = new AbortController()
      status = (await world.open(jobId, { port, signal: again.signal })).status
      again.abort()
    }
    expect(status).toBe(200)
  })
})

describe('the end of the connection', () => {
  /** Counts who listens. */
  function count() {
    const counted = { listeners: 0 }
    const subscribeCounted: ApiContext['notifier']['subscribe'] = (kind, listener) => {
      counted.listeners++
      const stop = world.api.context.notifier.subscribe(kind, listener)
      return () => {
        counted.listeners--
        stop()
      }
    }
    return { counted, notifier: { ...world.api.context.notifier, subscribe: subscribeCounted } }
  }
  const untilNobodyListens = async (counted: { listeners: number }) => {
    for (let tries = 0; counted.listeners > 0 && tries < 200; tries++) await sleep(20)
    return counted.listeners
  }

  test('when the reader leaves, nothing stays behind', async () => {
    const { counted, notifier } = count()
    const port = await world.serve({ ...world.api.context, notifier })
    const jobId = await acceptTestJob(world.api.context, world.key)
    const readers = Array.from({ length: 10 }, () => new AbortController())
    await Promise.all(readers.map(({ signal }) => world.open(jobId, { port, signal })))
    expect(counted.listeners).toBe(20)
    for (const reader of readers) reader.abort()
    expect(await untilNobodyListens(counted)).toBe(0)
    expect((await world.open('unknown', { port })).status).toBe(404)
    expect(counted.listeners).toBe(0)
  })

  test('when the process begins to stop the stream ends whole, to go on elsewhere', async () => {
    const beside = world.api.openBeside()
    const { counted, notifier } = count()
    const server = await listen(createApp({ ...beside.context, notifier }), 0, '127.0.0.1')
    const jobId = await acceptTestJob(world.api.context, world.key)
    const reading = readAllEvents(await world.open(jobId, { port: server.port }))
    await sleep(200)
    beside.drain()
    await server.drain(2_000)
    const events = await reading
    expect(namesOf(events)).toEqual(['progress'])
    expect(counted.listeners).toBe(0)
    await beside.close()
    const elsewhere = await world.follow(jobId, { lastEventId: events.at(-1)?.id })
    await completeTestJob(world.api.context, jobId)
    expect(namesOf([await elsewhere.next(), await elsewhere.next()])).toContain('completed')
  })
})
