import { collect } from '../testing/collect.ts'
import { data, failure, stream, useTestService } from '../testing/serve.ts'

const serve = useTestService()
const ANSWER = { conversation_id: 'c-1', answer_kind: 'answer', message: { content: 'Two.' } }
const QUESTION = { message: 'How many?', scope: { all: true } } as const

test('asks many videos, with one idempotency key over all tries', async () => {
  const service = await serve(failure(503, 'SERVICE_UNAVAILABLE', true, { 'Retry-After': '0' }), data(ANSWER))
  expect(await service.client().library.chat.ask(QUESTION)).toEqual(ANSWER)
  expect(service.requests.map(({ method, url, body }) => [method, url, JSON.parse(body)])).toEqual(
    Array(2).fill(['POST', '/api/v1/library/chat', QUESTION]),
  )
  expect(new Set(service.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
})

test('yields an answer while it is written', async () => {
  const service = await serve(stream(['delta', '1', { text: 'Two.' }], ['done', '2', ANSWER]))
  expect(await collect(service.client().library.chat.stream(QUESTION))).toEqual([
    { event: 'delta', data: { text: 'Two.' } },
    { event: 'done', data: ANSWER },
  ])
  expect(JSON.parse(service.requests[0]?.body ?? '')).toEqual({ ...QUESTION, stream: true })
})

test('lists, reads and deletes conversations', async () => {
  const page = { conversations: [{ conversation_id: 'c-1' }], pagination: { next_cursor: null } }
  const service = await serve(data(page), data({ messages: [] }), data({ deleted: true }))
  const { chat } = service.client().library
  expect(await collect(chat.list())).toEqual(page.conversations)
  expect(await chat.get('c/1')).toEqual({ messages: [] })
  expect(await chat.delete('c/1')).toEqual({ deleted: true })
  expect(service.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /api/v1/library/chat?limit=100',
    'GET /api/v1/library/chat/c%2F1',
    'DELETE /api/v1/library/chat/c%2F1',
  ])
})
