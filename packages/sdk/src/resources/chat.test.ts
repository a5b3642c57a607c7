import { jest } from '@jest/globals'
import { collect } from '../testing/collect.ts'
import { data, failure, reset, stream, useTestService } from '../testing/serve.ts'

const serve = useTestService()

const ANSWER = { conversation_id: 'c-1', answer_kind: 'answer', message: { content: 'Two. Seas.' } }
const DELTA = { text: 'Two.' }
const CITATION = { segment_id: 3, start: 6, position: 4 }
const LAST_DELTA = { text: ' Seas.' }

describe('ask', () => {
  test('sends a question, with an idempotency key, and returns the answer', async () => {
    const service = await serve(failure(503, 'SERVICE_UNAVAILABLE', true, { 'Retry-After': '0' }), data(ANSWER))
    expect(await service.client().chat.ask('job/1', 'How many seas?')).toEqual(ANSWER)
    expect(service.requests.map(({ method, url, body }) => [method, url, JSON.parse(body)])).toEqual(
      Array(2).fill(['POST', '/api/v1/videos/chat/job%2F1', { message: 'How many seas?' }]),
    )
    const [key, repeated] = service.requests.map(({ headers }) => headers['idempotency-key'])
    expect([typeof key, repeated]).toEqual(['string', key])
  })

  test('continues a conversation', async () => {
    const service = await serve(data(ANSWER))
    const question = { message: 'Which?', conversation_id: 'c-1', regenerate: true }
    await service.client().chat.ask('job-1', question)
    expect(JSON.parse(service.requests[0]?.body ?? '')).toEqual(question)
  })

  test('throws the error of a conversation that is busy, without a retry', async () => {
    const service = await serve(failure(409, 'CONVERSATION_BUSY', true, { 'Retry-After': '0' }))
    await expect(service.client().chat.ask('job-1', 'Why?')).rejects.toMatchObject({
      name: 'ConflictError',
      code: 'CONVERSATION_BUSY',
      jobId: 'job-1',
    })
    expect(service.requests).toHaveLength(1)
  })
})

describe('stream', () => {
  afterEach(() => jest.restoreAllMocks())

  test('yields each part of an answer once, although its stream breaks', async () => {
    const service = await serve(
      reset,
      stream(['delta', '1', DELTA], ['citation', '2', CITATION]),
      failure(503, 'SERVICE_UNAVAILABLE', true, { 'Retry-After': '0' }),
      stream(['delta', '1', DELTA], ['citation', '2', CITATION], ['delta', '3', LAST_DELTA], ['done', '4', ANSWER]),
    )
    expect(await collect(service.client().chat.stream('job-1', 'How many seas?'))).toEqual([
      { event: 'delta', data: DELTA },
      { event: 'citation', data: CITATION },
      { event: 'delta', data: LAST_DELTA },
      { event: 'done', data: ANSWER },
    ])
    expect(service.requests).toHaveLength(4)
    expect(new Set(service.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    expect(JSON.parse(service.requests[0]?.body ?? '')).toEqual({ message: 'How many seas?', stream: true })
  })

  test('needs no secure connection in a browser', async () => {
    jest.spyOn(crypto, 'randomUUID').mockImplementation(() => {
      throw new TypeError('crypto.randomUUID is not a function')
    })
    const service = await serve(stream(['done', '1', ANSWER]))
    expect(await collect(service.client().chat.stream('job-1', 'How?'))).toEqual([{ event: 'done', data: ANSWER }])
  })

  test('throws the error that ends an answer at once, also in a stream that was resumed', async () => {
    const error = { code: 'SERVICE_UNAVAILABLE', message: 'The answer was interrupted.', retryable: true }
    const service = await serve(stream(['delta', '1', DELTA]), stream(['error', '1', error]))
    const answer = service.client().chat.stream('job-1', 'Why?')
    expect((await answer.next()).value).toEqual({ event: 'delta', data: DELTA })
    await expect(answer.next()).rejects.toMatchObject({ ...error, name: 'ServerError', jobId: 'job-1' })
    expect(service.requests).toHaveLength(2)
  })

  test('throws the error of a question that is refused', async () => {
    const service = await serve(failure(429, 'QUOTA_EXCEEDED', true, { 'Retry-After': '3600' }, { quota: 'chat' }))
    await expect(collect(service.client().chat.stream('job-1', 'Why?'))).rejects.toMatchObject({
      code: 'QUOTA_EXCEEDED',
      jobId: 'job-1',
      retryAfterMs: 3_600_000,
    })
    expect(service.requests).toHaveLength(1)
  })

  test('closes the connection when the reader stops', async () => {
    let close = (): void => undefined
    const closed = new Promise<void>((resolve) => {
      close = resolve
    })
    const service = await serve((response) => {
      response.on('close', close)
      response
        .writeHead(200, { 'Content-Type': 'text/event-stream' })
        .write(`event:delta\nid:1\ndata:${JSON.stringify(DELTA)}\n\n`)
    })
    for await (const _ of service.client().chat.stream('job-1', 'Why?')) break
    await closed
  })
})

test('conversations are listed over all pages, shown, deleted and accounted for', async () => {
  const page = (id: string, next_cursor: string | null) =>
    data({ conversations: [{ conversation_id: id }], pagination: { next_cursor } })
  const service = await serve(
    page('c-2', 'x'),
    page('c-1', null),
    data({ messages: [] }),
    data({ deleted: true }),
    data({}),
  )
  const { chat } = service.client()
  const ids = (await collect(chat.list('job-1', { limit: 1 }))).map(({ conversation_id }) => conversation_id)
  expect(ids).toEqual(['c-2', 'c-1'])
  expect(await chat.get('job-1', 'c-1')).toEqual({ messages: [] })
  expect(await chat.delete('job-1', 'c-1')).toEqual({ deleted: true })
  await chat.receipt('job-1', 'c-1')
  expect(service.requests.map(({ method, url }) => `${method} ${url.replace('/api/v1/videos', '')}`)).toEqual([
    'GET /chat/job-1?limit=1',
    'GET /chat/job-1?limit=1&cursor=x',
    'GET /chat/job-1/c-1',
    'DELETE /chat/job-1/c-1',
    'GET /receipt/job-1/c-1',
  ])
})

describe('delete', () => {
  const notFound = failure(404, 'NOT_FOUND', false)
  const deleteConversation = async (...responders: Parameters<typeof serve>) =>
    (await serve(...responders)).client().chat.delete('job-1', 'c-1')

  test.each([
    ['the connection broke', reset],
    ['a proxy answered', (response: Parameters<typeof reset>[0]) => void response.writeHead(502).end('<html>')],
    ['the service could not tell', failure(503, 'SERVICE_UNAVAILABLE', true, { 'Retry-After': '0' })],
  ])('succeeds when the conversation is gone at the second attempt, because at the first %s', async (_, first) => {
    expect(await deleteConversation(first, notFound)).toEqual({ conversation_id: 'c-1', deleted: true })
  })

  test.each([
    ['at the first attempt', [notFound]],
    ['after an attempt that was refused', [failure(429, 'RATE_LIMITED', true, { 'Retry-After': '0' }), notFound]],
    [
      'by a proxy after a lost answer',
      [reset, (response: Parameters<typeof reset>[0]) => void response.writeHead(404).end()],
    ],
  ] as [string, Parameters<typeof serve>][])('throws the 404 that is answered %s', async (_, responders) => {
    await expect(deleteConversation(...responders)).rejects.toMatchObject({ name: 'NotFoundError', jobId: 'job-1' })
  })
})
