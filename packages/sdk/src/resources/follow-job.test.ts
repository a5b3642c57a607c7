import { jest } from '@jest/globals'
import { Subtext } from '../client.ts'
import { collect } from '../testing/collect.ts'
import { data, failure, reset, stream, useTestService } from '../testing/serve.ts'

const STREAM = { 'Content-Type': 'text/event-stream' }
const serve = useTestService()

const job = (status: string, progress: number) => ({ job_id: 'job-1', status, progress_percentage: progress })
const RUNNING = job('processing', 40)
const COMPLETED = job('completed', 100)

describe('events', () => {
  test('continue after the last event when the stream breaks', async () => {
    const service = await serve(
      stream(['progress', 'job-1/1', RUNNING]),
      reset,
      stream(['summary', 'job-1/2', { mode: 'tldr', text: 'Short.' }], ['completed', 'job-1/3', COMPLETED]),
    )
    const events = await collect(service.client().videos.events('job-1'))
    expect(events.map(({ event, id }) => [event, id])).toEqual([
      ['progress', 'job-1/1'],
      ['summary', 'job-1/2'],
      ['completed', 'job-1/3'],
    ])
    expect(service.requests.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'job-1/1', 'job-1/1'])
  })

  test('are not asked for in a row if the service ends the stream after each', async () => {
    const service = await serve(stream(['progress', 'job-1/1', RUNNING]))
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 700)
    await collect(service.client().videos.events('job-1', { signal: controller.signal })).catch(() => undefined)
    expect(service.requests.length).toBeLessThan(10)
  })

  test('end at once if the client has the last one already', async () => {
    const service = await serve((response) => response.writeHead(204).end())
    const events = service.client().videos.events('job-1', { lastEventId: 'job-1/3' })
    expect(await collect(events)).toEqual([])
  })

  test('throw the error of a job that does not exist', async () => {
    const service = await serve(failure(404, 'NOT_FOUND', false))
    await expect(collect(service.client().videos.events('job-1'))).rejects.toMatchObject({
      name: 'NotFoundError',
      jobId: 'job-1',
    })
  })

  test('close the connection when the reader stops', async () => {
    let close = (): void => undefined
    const closed = new Promise<void>((resolve) => {
      close = resolve
    })
    const service = await serve((response) => {
      response.on('close', close)
      response.writeHead(200, STREAM).write(`event:progress\nid:1\ndata:${JSON.stringify(RUNNING)}\n\n`)
    })
    for await (const _ of service.client().videos.events('job-1')) break
    await closed
  })
})

describe('waitFor', () => {
  test('returns the job that the stream ends with, and reports progress and summaries', async () => {
    const summary = { job_id: 'job-1', mode: 'tldr', text: 'Short.', model: 'm' }
    const service = await serve(
      stream(['progress', '1', RUNNING], ['summary', '2', summary], ['completed', '3', COMPLETED]),
    )
    const onProgress = jest.fn()
    const onSummary = jest.fn()
    expect(await service.client().videos.waitFor('job-1', { onProgress, onSummary })).toEqual(COMPLETED)
    expect(onProgress.mock.calls).toEqual([[RUNNING], [COMPLETED]])
    expect(onSummary.mock.calls).toEqual([[summary]])
    expect(service.requests).toHaveLength(1)
  })

  test('returns a job that failed', async () => {
    const failed = job('failed', 40)
    const service = await serve(stream(['failed', '1', failed]))
    expect(await service.client().videos.waitFor('job-1')).toEqual(failed)
  })

  describe('where streams bring nothing', () => {
    beforeEach(() => void jest.useFakeTimers({ advanceTimers: false }))
    afterEach(() => void jest.useRealTimers())

    test('makes at most one request in 25 seconds, even if the service responds at once', async () => {
      const paths: string[] = []
      const respond = async (input: string | URL | Request): Promise<Response> => {
        const url = new URL(String(input))
        paths.push(url.pathname.replace('/api/v1/videos', '') + url.search)
        if (url.pathname.includes('/events/')) return new Response('')
        if (paths.length % 5 === 0) throw new TypeError('fetch failed')
        return Response.json({ data: RUNNING })
      }
      const { videos } = new Subtext({ apiKey: 'sk_x', baseUrl: 'http://127.0.0.1', fetch: respond })
      const controller = new AbortController()
      const waiting = videos.waitFor('job-1', { signal: controller.signal }).catch((error: unknown) => error)
      const minutes = 30
      await jest.advanceTimersByTimeAsync(minutes * 60_000)
      controller.abort(new Error('enough'))
      expect(await waiting).toMatchObject({ message: 'enough' })
      expect(paths.slice(0, 3)).toEqual(['/events/job-1', '/events/job-1', '/status/job-1?wait=30'])
      const polls = paths.length - 2
      expect(polls).toBeLessThanOrEqual((minutes * 60) / 25 + 1)
      expect(polls).toBeGreaterThan(minutes)
    })

    test('waits for as long as it was told, and without a limit by default', async () => {
      const respond = async (input: string | URL | Request): Promise<Response> =>
        String(input).includes('/events/') ? new Response('') : Response.json({ data: RUNNING })
      const { videos } = new Subtext({ apiKey: 'sk_x', baseUrl: 'http://127.0.0.1', fetch: respond })
      const ended = jest.fn()
      for (const timeoutMs of [3_600_000, Number.POSITIVE_INFINITY, undefined]) {
        void videos.waitFor('job-1', { timeoutMs }).catch((error: Error) => ended(timeoutMs, error.name))
      }
      await jest.advanceTimersByTimeAsync(2 * 3_600_000)
      expect(ended.mock.calls).toEqual([[3_600_000, 'TimeoutError']])
    })
  })

  test('leaves it to the caller if the service asks for a long pause', async () => {
    const service = await serve(failure(429, 'RATE_LIMITED', true, { 'Retry-After': '3000' }))
    await expect(service.client().videos.waitFor('job-1')).rejects.toMatchObject({
      name: 'RateLimitError',
      retryAfterMs: 3_000_000,
      jobId: 'job-1',
    })
  })

  test('outlasts a deployment: resets, then a stream that continues', async () => {
    const service = await serve(
      stream(['progress', '1', RUNNING]),
      reset,
      failure(503, 'SERVICE_UNAVAILABLE', true, { 'Retry-After': '0' }),
      stream(['completed', '3', COMPLETED]),
    )
    expect(await service.client({ maxRetries: 0 }).videos.waitFor('job-1')).toEqual(COMPLETED)
    expect(service.requests.at(-1)?.headers['last-event-id']).toBe('1')
  })

  test('throws a timeout that carries the ID of the job, which continues', async () => {
    const service = await serve((response) => response.writeHead(200, STREAM).flushHeaders())
    await expect(service.client().videos.waitFor('job-1', { timeoutMs: 20 })).rejects.toMatchObject({
      name: 'TimeoutError',
      jobId: 'job-1',
      message: 'Job job-1 did not end within 20 ms. It continues to run.',
    })
  })

  test('rejects with the reason of an aborted signal', async () => {
    const controller = new AbortController()
    const service = await serve(() => controller.abort(new Error('closed by the user')))
    const waiting = service.client().videos.waitFor('job-1', { signal: controller.signal })
    await expect(waiting).rejects.toThrow('closed by the user')
  })
})

describe('process', () => {
  test('submits, follows and returns the result', async () => {
    const service = await serve(
      data({ job_id: 'job-1', status: 'queued' }),
      stream(['completed', '1', COMPLETED]),
      data({ job_id: 'job-1', format: 'json' }),
    )
    const result = await service.client().videos.process({ url: 'https://youtu.be/x' }, { format: 'json' })
    expect(result.format).toBe('json')
    expect(service.requests.map(({ method, url }) => `${method} ${url.replace('/api/v1/videos', '')}`)).toEqual([
      'POST /process',
      'GET /events/job-1',
      'GET /result/job-1?format=json',
    ])
  })

  test("throws the failed job's own error", async () => {
    const service = await serve(
      data({ job_id: 'job-1', status: 'queued' }),
      stream(['failed', '1', job('failed', 10)]),
      failure(422, 'TRANSCRIPT_UNAVAILABLE', false, {}, { reason: 'no_captions' }),
    )
    await expect(service.client().videos.process({ url: 'https://youtu.be/x' })).rejects.toMatchObject({
      code: 'TRANSCRIPT_UNAVAILABLE',
      details: { reason: 'no_captions' },
      jobId: 'job-1',
    })
  })
})

describe('a service that has never answered', () => {
  test.each([0, 1])('is asked %i more times', async (maxRetries) => {
    const service = await serve(reset)
    const { videos, chat, batches } = service.client({ maxRetries })
    const calls = [
      () => collect(videos.events('job-1')),
      () => videos.waitFor('job-1'),
      () => collect(chat.stream('job-1', 'Why?')),
      () => batches.waitFor('b'),
    ]
    for (const call of calls) {
      const before = service.requests.length
      await expect(call()).rejects.toMatchObject({ code: 'CONNECTION_ERROR' })
      expect(service.requests.length - before).toBe(maxRetries + 1)
    }
  })

  test('is not taken for one that restarts after the submission, or after the stream was opened', async () => {
    const broken: typeof reset = (response) => {
      response.writeHead(200, STREAM).flushHeaders()
      setTimeout(() => response.destroy(), 20)
    }
    const service = await serve(
      data({ job_id: 'job-1' }),
      reset,
      reset,
      stream(['completed', '1', COMPLETED]),
      data({}),
    )
    await service.client({ maxRetries: 0 }).videos.process({ url: 'https://youtu.be/x' })
    service.replyWith(broken, reset, stream(['done', '1', {}]))
    expect(await collect(service.client({ maxRetries: 0 }).chat.stream('job-1', 'Why?'))).toHaveLength(1)
  })
})

describe('a service that has answered', () => {
  const refusal = failure(503, 'SERVICE_UNAVAILABLE', true, { 'Retry-After': '0' })

  test('is asked further, even if its only answer is that it is not ready', async () => {
    const service = await serve(refusal, reset, refusal, stream(['completed', '1', COMPLETED]))
    expect(await service.client({ maxRetries: 0 }).videos.waitFor('job-1')).toEqual(COMPLETED)
    service.replyWith(refusal, reset, data({ batch_id: 'b', status: 'completed' }))
    expect(await service.client({ maxRetries: 0 }).batches.waitFor('b')).toMatchObject({ status: 'completed' })
  })

  test('is not a proxy that answers in its place', async () => {
    const service = await serve((response) => response.writeHead(503).end('<html>'))
    const { videos, batches } = service.client({ maxRetries: 1 })
    await expect(collect(videos.events('job-1'))).rejects.toMatchObject({ status: 503 })
    await expect(batches.waitFor('b')).rejects.toMatchObject({ status: 503 })
    expect(service.requests).toHaveLength(4)
  })

  test('is asked again for an answer, unless the call limits its retries', async () => {
    const service = await serve(data({}), reset, reset, stream(['done', '1', {}]))
    const client = service.client({ maxRetries: 0 })
    await client.usage.current()
    expect(await collect(client.chat.stream('job-1', 'Why?'))).toHaveLength(1)
    service.replyWith(reset)
    const before = service.requests.length
    const limited = collect(client.chat.stream('job-1', 'Why?', { maxRetries: 1 }))
    await expect(limited).rejects.toMatchObject({ code: 'CONNECTION_ERROR' })
    expect(service.requests.length - before).toBe(2)
  })
})
