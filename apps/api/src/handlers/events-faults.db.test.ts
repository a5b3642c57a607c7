import { request as httpRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createJobLookups, reportStep } from '@subtext/core/jobs'
import { waitUntil } from '@subtext/embedded/testing'
import { createApp } from '../app.ts'
import type { ApiContext } from '../context.ts'
import { createStreamLimiter } from '../http/event-stream.ts'
import { namesOf, readAllEvents, useEventApi } from '../testing/events.ts'
import { acceptTestJob, claimTestJob, completeTestJob } from '../testing/jobs.ts'

const eventApi = useEventApi()

describe('a stream of events', () => {
  test('is refused for IDs of other accounts, unknown IDs and malformed IDs', async () => {
    const foreign = await acceptTestJob(eventApi.api.context, await eventApi.api.createKey())
    for (const id of [foreign, '0190b0c4-0000-7000-8000-000000000001', 'x', '%00']) {
      const response = await eventApi.open(id)
      expect({ status: response.status, body: await response.json() }).toBeRefused(404, 'NOT_FOUND')
      expect(response.headers.get('content-type')).toContain('application/json')
    }
  })

  test('starts in spite of a malformed Host header', async () => {
    const port = await eventApi.serve(eventApi.api.context)
    const jobId = await acceptTestJob(eventApi.api.context, eventApi.key)
    await completeTestJob(eventApi.api.context, jobId)
    const status = await new Promise((resolve, reject) => {
      const headers = { host: 'user:pass@[', 'x-api-key': eventApi.key }
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

  test('shows the state in the end when notifications are lost', async () => {
    const jobId = await acceptTestJob(eventApi.api.context, eventApi.key)
    const reader = await eventApi.follow(jobId)
    await reader.next()
    const publish = () => Promise.reject(new Error('Redis is unavailable.'))
    const silent = { ...eventApi.api.context, notifier: { ...eventApi.api.context.notifier, publish } }
    await reportStep(silent, await claimTestJob(silent, jobId), 'summarizing', 50)
    // Without polling, the event would never arrive.
    expect(await reader.until(({ data }) => data.progress_percentage === 50)).toMatchObject({ name: 'progress' })
  })

  test('survives a database that is unavailable for a while', async () => {
    let unavailable = false
    const query: ApiContext['db']['query'] = (text, values) =>
      unavailable
        ? Promise.reject(Object.assign(new Error('The database is unavailable.'), { code: 'ECONNREFUSED' }))
        : eventApi.api.context.db.query(text, values)
    const db = { ...eventApi.api.context.db, query }
    const port = await eventApi.serve({ ...eventApi.api.context, db, lookups: createJobLookups(db) })
    const jobId = await acceptTestJob(eventApi.api.context, eventApi.key)
    const reader = await eventApi.follow(jobId, { port })
    await reader.next()
    unavailable = true
    await reportStep(eventApi.api.context, await claimTestJob(eventApi.api.context, jobId), 'summarizing', 50)
    const event = reader.until(({ data }) => data.progress_percentage === 50)
    expect(await Promise.race([event, sleep(1_000, 'silent')])).toBe('silent')
    unavailable = false
    expect(await event).toMatchObject({ name: 'progress' })

    unavailable = true
    expect((await eventApi.open(jobId, { port })).status).toBe(503)
  })

  test('is refused while the account has its maximum of streams open', async () => {
    const port = await eventApi.serve({ ...eventApi.api.context, acquireStream: createStreamLimiter(1) })
    const jobId = await acceptTestJob(eventApi.api.context, eventApi.key)
    const leaving = new AbortController()
    await eventApi.open(jobId, { port, signal: leaving.signal })
    const refused = await eventApi.open(jobId, { port })
    expect({ status: refused.status, body: await refused.json() }).toBeRefused(429, 'RATE_LIMITED')
    expect(refused.headers.get('retry-after')).toBe('5')
    leaving.abort()
    const status = await waitUntil('the account has capacity again', async () => {
      const again = new AbortController()
      const response = await eventApi.open(jobId, { port, signal: again.signal })
      again.abort()
      return response.status !== 429 && response.status
    })
    expect(status).toBe(200)
  })
})

describe('the end of a stream', () => {
  /** Returns a notifier that counts its subscriptions. */
  function countListeners() {
    const counted = { listeners: 0 }
    const subscribeCounted: ApiContext['notifier']['subscribe'] = (kind, listener) => {
      counted.listeners++
      const stop = eventApi.api.context.notifier.subscribe(kind, listener)
      return () => {
        counted.listeners--
        stop()
      }
    }
    return { counted, notifier: { ...eventApi.api.context.notifier, subscribe: subscribeCounted } }
  }
  const untilNoneListens = (counted: { listeners: number }) =>
    waitUntil('no subscription is left', () => counted.listeners === 0)

  test('leaves no subscription behind when the reader disconnects', async () => {
    const { counted, notifier } = countListeners()
    const port = await eventApi.serve({ ...eventApi.api.context, notifier })
    const jobId = await acceptTestJob(eventApi.api.context, eventApi.key)
    const readers = Array.from({ length: 10 }, () => new AbortController())
    await Promise.all(readers.map(({ signal }) => eventApi.open(jobId, { port, signal })))
    expect(counted.listeners).toBe(20)
    for (const reader of readers) reader.abort()
    await untilNoneListens(counted)
    expect((await eventApi.open('unknown', { port })).status).toBe(404)
    expect(counted.listeners).toBe(0)
  })

  test('comes with complete events when the process stops, and the reader resumes at another process', async () => {
    const beside = eventApi.api.openBeside()
    const { counted, notifier } = countListeners()
    const server = await eventApi.api.serve(createApp({ ...beside.context, notifier }))
    const jobId = await acceptTestJob(eventApi.api.context, eventApi.key)
    const reading = readAllEvents(await eventApi.open(jobId, { port: server.port }))
    beside.drain()
    await server.drain(240_000)
    const events = await reading
    expect(namesOf(events)).toEqual(['progress'])
    expect(counted.listeners).toBe(0)
    await beside.close()
    const elsewhere = await eventApi.follow(jobId, { lastEventId: events.at(-1)?.id })
    await completeTestJob(eventApi.api.context, jobId)
    expect(namesOf([await elsewhere.next(), await elsewhere.next()])).toContain('completed')
  })
})
