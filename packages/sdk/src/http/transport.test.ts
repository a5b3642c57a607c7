import { jest } from '@jest/globals'
import { data, failure, reset, useTestService } from '../testing/serve.ts'

const serve = useTestService()

const VIDEO = { url: 'https://youtu.be/dQw4w9WgXcQ' }
const JOB = { job_id: 'job-1', status: 'queued' }

describe('requests', () => {
  test('send the key, the body and an idempotency key, and return the data of the envelope', async () => {
    const service = await serve(data(JOB))
    expect(await service.client().videos.submit(VIDEO)).toEqual(JOB)
    expect(service.requests).toMatchObject([
      {
        method: 'POST',
        url: '/api/v1/videos/process',
        headers: { authorization: 'Bearer sk_test', 'idempotency-key': expect.stringMatching(/^[0-9a-f]{32}$/) },
        body: JSON.stringify(VIDEO),
      },
    ])
  })

  test('need no secure connection, without which pages have no `randomUUID`', async () => {
    const service = await serve(data(JOB))
    Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true })
    try {
      expect(await service.client().videos.submit(VIDEO)).toEqual(JOB)
    } finally {
      Reflect.deleteProperty(crypto, 'randomUUID')
    }
  })

  test('report the request ID and the warnings of every response', async () => {
    const warnings = [{ code: 'DEPRECATED_FIELD', message: 'x' }]
    const service = await serve(data(JOB, { warnings }))
    const onResponse = jest.fn()
    await service.client({ onResponse }).videos.submit(VIDEO)
    expect(onResponse).toHaveBeenCalledWith(expect.objectContaining({ status: 200, requestId: 'request-1', warnings }))
  })

  test('leave out parameters without a value', async () => {
    const service = await serve(data({ thumbnails: {} }))
    await service.client().usage.history({ granularity: 'daily' })
    expect(service.requests[0]?.url).toBe('/api/v1/usage/history?granularity=daily')
  })
})

describe('retries', () => {
  test.each([
    ['a reset and 429', reset, failure(429, 'RATE_LIMITED', true, { 'Retry-After': '0' })],
    [
      '503 and a request in progress',
      failure(503, 'SERVICE_UNAVAILABLE', true, { 'Retry-After': '0' }),
      failure(409, 'IDEMPOTENCY_IN_PROGRESS', true, { 'Retry-After': '0' }),
    ],
  ])('keep the idempotency key after %s', async (_, first, second) => {
    const service = await serve(first, second, data(JOB))
    expect(await service.client().videos.submit(VIDEO)).toEqual(JOB)
    expect(service.requests).toHaveLength(3)
    expect(new Set(service.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  })

  test('use a new idempotency key for every call', async () => {
    const service = await serve(data(JOB))
    await service.client().videos.submit(VIDEO)
    await service.client().videos.submit(VIDEO)
    expect(new Set(service.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(2)
  })

  test('use the idempotency key of the caller', async () => {
    const service = await serve(data(JOB))
    await service.client().videos.submit(VIDEO, { idempotencyKey: 'order-1042' })
    expect(service.requests[0]?.headers['idempotency-key']).toBe('order-1042')
  })

  test('end after maxRetries with the error of the last attempt', async () => {
    const service = await serve(reset, failure(503, 'UPSTREAM_BLOCKED', true, { 'Retry-After': '0' }))
    const error = await service
      .client({ maxRetries: 1 })
      .videos.submit(VIDEO)
      .catch((reason) => reason)
    expect(error).toMatchObject({
      name: 'ServerError',
      status: 503,
      code: 'UPSTREAM_BLOCKED',
      requestId: 'request-1',
      retryable: true,
    })
    expect(service.requests).toHaveLength(2)
  })

  test.each([
    [400, 'VALIDATION_ERROR', 'BadRequestError'],
    [401, 'UNAUTHORIZED', 'AuthenticationError'],
    [403, 'PLAN_UPGRADE_REQUIRED', 'PermissionError'],
    [404, 'NOT_FOUND', 'NotFoundError'],
    [409, 'JOB_NOT_COMPLETED', 'ConflictError'],
    [422, 'TRANSCRIPT_UNAVAILABLE', 'UnprocessableError'],
    [500, 'INTERNAL_ERROR', 'ServerError'],
  ])('are not made after %i %s, which throws a %s', async (status, code, name) => {
    const service = await serve(failure(status, code, status === 409, { 'Retry-After': '0' }))
    await expect(service.client().videos.result('job-1')).rejects.toMatchObject({ name, status, code, jobId: 'job-1' })
    expect(service.requests).toHaveLength(1)
  })

  test('are left to the caller if the server asks for a long pause', async () => {
    const service = await serve(failure(429, 'QUOTA_EXCEEDED', true, { 'Retry-After': '3600' }))
    await expect(service.client().videos.submit(VIDEO)).rejects.toMatchObject({
      name: 'RateLimitError',
      retryAfterMs: 3_600_000,
    })
    expect(service.requests).toHaveLength(1)
  })

  test('wait until a date by the clock of the server', async () => {
    const now = Date.parse('2020-01-01T00:00:00Z')
    const dates = { Date: new Date(now).toUTCString(), 'Retry-After': new Date(now + 90_000).toUTCString() }
    const service = await serve(failure(503, 'UPSTREAM_BLOCKED', true, dates))
    await expect(service.client().usage.current()).rejects.toMatchObject({ retryAfterMs: 90_000 })
  })

  test('are not made after a failure of what the caller does with the response', async () => {
    const service = await serve(data(JOB))
    const onResponse = (): void => {
      throw new TypeError('bug of the caller')
    }
    await expect(service.client({ onResponse }).videos.submit(VIDEO)).rejects.toThrow('bug of the caller')
    expect(service.requests).toHaveLength(1)
  })

  test('are made after an error page of a gateway', async () => {
    const service = await serve((response) => response.writeHead(502).end('<html>'), data(JOB))
    expect(await service.client().videos.submit(VIDEO)).toEqual(JOB)
  })
})

describe('failures', () => {
  test('say that a response is not JSON', async () => {
    const service = await serve((response) => response.end('<html>'))
    await expect(service.client().usage.current()).rejects.toMatchObject({
      code: 'INVALID_RESPONSE',
      message: expect.stringContaining('Check the base URL'),
    })
    expect(service.requests).toHaveLength(1)
  })

  test.each(['null', '[]', '"text"', '{"success":true}'])('say that %s is not a response of the API', async (body) => {
    const service = await serve((response) => response.end(body))
    await expect(service.client().usage.current()).rejects.toMatchObject({ code: 'INVALID_RESPONSE' })
  })

  test.each([301, 302, 307, 308])('say where a redirect leads (%i), and send nothing there', async (status) => {
    const other = await serve(data({}))
    const service = await serve((response) => response.writeHead(status, { Location: `${other.url}/x` }).end())
    await expect(service.client().videos.submit(VIDEO)).rejects.toMatchObject({
      status,
      code: 'INVALID_RESPONSE',
      message: `${service.url} redirects to ${other.url}, which is not followed. Correct the base URL.`,
    })
    expect([service.requests.length, other.requests.length]).toEqual([1, 0])
  })

  test.each(['', '.', '..', '\ud800', 'job\udc00'])('refuse an ID that no URL can name (%j)', async (id) => {
    const service = await serve(data({}))
    const { account, videos, batches, chat, webhooks } = service.client()
    const calls = [
      () => account.revokeKey(id),
      () => videos.cancel(id),
      () => videos.derive(id, { summary_modes: ['tldr'] }),
      () => videos.exportPdf(id),
      () => videos.waitFor(id),
      () => batches.status(id),
      () => chat.get(id, 'c-1'),
      () => chat.delete('job-1', id),
      () => webhooks.redeliver(id),
    ]
    const refusal = { code: 'VALIDATION_ERROR', message: 'An ID is missing or invalid.' }
    for (const call of calls) await expect(call()).rejects.toMatchObject(refusal)
    expect(service.requests).toEqual([])
  })

  test.each([
    ['null', 'null'],
    ['data that is null', '{"success":true,"data":null}'],
    ['data that is a list', '{"success":true,"data":[]}'],
    ['no data', '{"success":true}'],
    ['a page', '<html>'],
    ['nothing', ''],
  ])('are errors if the response is %s', async (_, body) => {
    const service = await serve((response) => void response.writeHead(200).end(body))
    await expect(service.client().usage.current()).rejects.toMatchObject({ status: 0, code: 'INVALID_RESPONSE' })
    expect(service.requests).toHaveLength(1)
  })

  test.each([
    ['{"error":"bad"}', 400, ', but not as the API does. Check the base URL.'],
    ['{"error":{"code":42,"message":{}}}', 418, ', but not as the API does. Check the base URL.'],
    ['<html>', 502, '.'],
  ])('say that %s is not an error of the API', async (body, status, ending) => {
    const service = await serve((response) => void response.writeHead(status).end(body))
    const error = { status, code: 'INVALID_RESPONSE', message: `The server responded with status ${status}${ending}` }
    await expect(service.client({ maxRetries: 0 }).usage.current()).rejects.toMatchObject(error)
  })

  test('end where streams and statuses are something else', async () => {
    const service = await serve(
      (response) => void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>'),
    )
    const { videos, chat } = service.client()
    for (const call of [() => videos.waitFor('job-1'), () => chat.stream('job-1', 'Why?').next()]) {
      await expect(call()).rejects.toMatchObject({ code: 'INVALID_RESPONSE', jobId: 'job-1' })
    }
    expect(service.requests.map(({ url }) => url.split('/')[4])).toEqual(['events', 'events', 'status', 'chat'])
  })

  test('refuse an idempotency key that cannot be sent', async () => {
    const service = await serve(data(JOB))
    await expect(service.client().videos.submit(VIDEO, { idempotencyKey: 'a\nb' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    })
    expect(service.requests).toHaveLength(0)
  })

  test('give the details of a code their type', async () => {
    const details = { quota: 'daily', limit: 30, used: 30, reset_at: '2026-01-01T00:00:00.000Z' }
    const service = await serve(failure(429, 'QUOTA_EXCEEDED', false, {}, details))
    const error = await service
      .client()
      .videos.submit(VIDEO)
      .catch((reason) => reason)
    expect(error.hasCode('QUOTA_EXCEEDED') && error.details.quota).toBe('daily')
    expect(error.hasCode('PLAN_UPGRADE_REQUIRED')).toBe(false)
  })

  test('are timeouts if there is no response in time', async () => {
    const service = await serve(() => undefined)
    const attempts = jest.fn((input: string | URL | Request, init?: RequestInit) => fetch(input, init))
    const client = service.client({ timeoutMs: 20, maxRetries: 1, fetch: attempts })
    await expect(client.usage.current()).rejects.toMatchObject({ name: 'TimeoutError', code: 'TIMEOUT' })
    expect(attempts).toHaveBeenCalledTimes(2)
  })

  test('reject with the reason of an aborted signal, without a retry', async () => {
    const controller = new AbortController()
    const service = await serve(() => controller.abort(new Error('closed by the user')))
    await expect(service.client().usage.current({ signal: controller.signal })).rejects.toThrow('closed by the user')
    expect(service.requests).toHaveLength(1)
  })
})

describe('documents', () => {
  test('are returned before their body has arrived', async () => {
    let finish = (): void => undefined
    const service = await serve((response) => {
      response.writeHead(200, { 'Content-Type': 'text/markdown; charset=utf-8' }).write('# Title')
      finish = () => response.end('\n\ntext')
    })
    const response = await service.client().videos.document('job-1', 'markdown', { download: true })
    expect(service.requests[0]?.url).toBe('/api/v1/videos/result/job-1?format=markdown&download=1')
    finish()
    expect(await response.text()).toBe('# Title\n\ntext')
    await service.client().videos.document('job-1', 'csv', { bom: true })
    expect(service.requests[1]?.url).toBe('/api/v1/videos/result/job-1?format=csv&bom=true')
  })

  test('can be infographics, in the look that was asked for', async () => {
    const service = await serve((response) => {
      response.writeHead(200, { 'Content-Type': 'image/png' }).end(Buffer.from('\x89PNG', 'latin1'))
    })
    const { videos } = service.client()
    const response = await videos.infographic('job-1', { format: 'png', layout: 'wide', theme: 'dark' })
    expect(Buffer.from(await response.arrayBuffer()).toString('latin1')).toBe('\x89PNG')
    await videos.infographic('job/1')
    expect(service.requests.map(({ url }) => url)).toEqual([
      '/api/v1/videos/infographic/job-1?format=png&layout=wide&theme=dark',
      '/api/v1/videos/infographic/job%2F1',
    ])
  })

  test('can be PDFs, with the options that were given', async () => {
    const service = await serve((response) => {
      response.writeHead(200, { 'Content-Type': 'application/pdf' }).end(Buffer.from('%PDF-\xff', 'latin1'))
    })
    const { videos } = service.client()
    const response = await videos.exportPdf('job-1', {
      paper: 'letter',
      transcript: false,
      modes: ['tldr', 'key_insights'],
    })
    expect(Buffer.from(await response.arrayBuffer()).toString('latin1')).toBe('%PDF-\xff')
    await videos.exportPdf('job/1')
    expect(service.requests.map(({ url }) => url)).toEqual([
      '/api/v1/videos/export/job-1/pdf?paper=letter&transcript=false&modes=tldr%2Ckey_insights',
      '/api/v1/videos/export/job%2F1/pdf',
    ])
  })
})
