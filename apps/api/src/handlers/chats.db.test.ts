import { randomUUID } from 'node:crypto'
import { ChatAnswer, type ChatCitation, ConversationWithMessages, ServiceError } from '@subtext/contracts'
import supertest from 'supertest'
import { useTestApi } from '../testing/api.ts'
import { addTestConversation, ask, completeTalk, TALK } from '../testing/chats.ts'
import { acceptTestJob, failTestJob } from '../testing/jobs.ts'

let now = new Date('2026-11-22T22:00:00.000Z')
const api = useTestApi({ CHAT_DAILY_MESSAGES: '4' }, () => now)
let key: string
let jobId: string
beforeEach(async () => {
  now = new Date('2026-11-22T22:00:00.000Z')
  // Every test has the questions of a day to itself.
  key = await api.createKey()
  jobId = await completeTalk(api.context, key)
})

const path = (conversationId?: string) => `/api/v1/videos/chat/${jobId}${conversationId ? `/${conversationId}` : ''}`
const get = (conversationId?: string, as = key) => supertest(api.app).get(path(conversationId)).set('X-API-Key', as)
const remove = (conversationId: string, as = key) =>
  supertest(api.app).delete(path(conversationId)).set('X-API-Key', as)

describe('without a model', () => {
  test('a question is answered with the three passages that fit best, at no cost', async () => {
    const { status, body, headers } = await ask(api.app, key, jobId)
    expect(status).toBe(200)
    const answer = ChatAnswer.strict().parse(body.data)
    expect(answer).toMatchObject({
      answer_kind: 'passages',
      model: 'extractive',
      usage: { total_tokens: 0, cost_usd: 0, model: 'extractive' },
      message: { role: 'assistant', created_at: now.toISOString() },
    })
    expect(body.meta.warnings).toBeUndefined()
    expect(headers.location).toBe(path(answer.conversation_id))
    expect(answer.citations).toHaveLength(3)
    const { content } = answer.message
    expect(answer.citations.map(({ text }) => text).join('\n\n')).toBe(content)
    expect(answer.citations[0]?.text).toContain('born in Michigan')
    for (const { segment_id, start, url, text, position } of answer.citations) {
      const cue = TALK[segment_id - 1]
      expect(text.startsWith(cue?.text ?? '-')).toBe(true)
      expect(start).toBe((cue?.startMs ?? 0) / 1_000)
      expect(url).toBe(`https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=${Math.floor(start)}s`)
      expect(content.slice(0, position).endsWith(text)).toBe(true)
    }
  })

  test('a stream has the passages, their citations, and the whole answer at the end', async () => {
    const { status, headers, text } = await ask(api.app, key, jobId, { stream: true })
      .buffer(true)
      .parse((response, done) => {
        let received = ''
        response.on('data', (chunk) => {
          received += String(chunk)
        })
        response.on('end', () => done(null, received))
      })
      .then(({ status, headers, body }) => ({ status, headers, text: String(body) }))
    expect([status, headers['content-type']]).toEqual([200, 'text/event-stream'])
    const events = [...text.matchAll(/event: (\w+)\nid: (\d+)\ndata: (.*)/g)].map(([, name, id, data]) => ({
      name,
      id: Number(id),
      data: JSON.parse(data ?? ''),
    }))
    expect(events.map(({ name }) => name)).toEqual([...Array(3).fill(['delta', 'citation']).flat(), 'done'])
    expect(events.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7])
    const { data } = events.at(-1) ?? {}
    const deltas = events.filter(({ name }) => name === 'delta').map((event) => event.data.text)
    expect(deltas.join('')).toBe(data.message.content)
    expect(events.filter(({ name }) => name === 'citation').map((event) => event.data)).toEqual(data.citations)
    expect(headers.location).toBe(path(data.conversation_id))
    expect((await get(data.conversation_id)).body.data.messages[1].content).toBe(data.message.content)
  })
})

describe('a conversation', () => {
  test('is listed with its messages in order, and can be deleted', async () => {
    const first = (await ask(api.app, key, jobId, { message: '  Where was\nTharp born?  ' })).body.data
    const { conversation_id } = first
    now = new Date('2026-11-22T22:01:00.000Z')
    const second = (await ask(api.app, key, jobId, { message: 'And when?', conversation_id })).body.data
    expect(second.conversation_id).toBe(conversation_id)
    const summary = {
      conversation_id,
      title: 'Where was\nTharp born?',
      message_count: 4,
      created_at: '2026-11-22T22:00:00.000Z',
      updated_at: '2026-11-22T22:01:00.000Z',
    }
    const { body } = await get()
    expect(body.data).toEqual({
      conversations: [summary],
      pagination: { total: 1, limit: 20, offset: 0, has_more: false, next_offset: null, next_cursor: null },
    })
    const conversation = ConversationWithMessages.strict().parse((await get(conversation_id)).body.data)
    expect(conversation).toMatchObject(summary)
    expect(conversation.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant'])
    expect(conversation.messages[1]).toMatchObject({
      ...first.message,
      status: 'complete',
      answer_kind: 'passages',
      citations: first.citations,
      usage: first.usage,
    })
    expect((await remove(conversation_id)).body.data).toEqual({ conversation_id, deleted: true })
    expect(await get(conversation_id)).toBeRefused(404, 'NOT_FOUND')
    expect(await remove(conversation_id)).toBeRefused(404, 'NOT_FOUND')
    expect((await get()).body.data.conversations).toEqual([])
    expect(await ask(api.app, key, jobId, { conversation_id })).toBeRefused(404, 'NOT_FOUND')
  })

  test('is found by its own account and under its own job only', async () => {
    const stranger = await api.createKey()
    const otherJob = await completeTalk(api.context, key)
    const conversation_id = await addTestConversation(api.context, key, jobId)
    expect(await get(conversation_id, stranger)).toBeRefused(404, 'NOT_FOUND')
    expect(await remove(conversation_id, stranger)).toBeRefused(404, 'NOT_FOUND')
    expect(await ask(api.app, stranger, jobId)).toBeRefused(404, 'NOT_FOUND')
    expect(await ask(api.app, stranger, jobId, { conversation_id })).toBeRefused(404, 'NOT_FOUND')
    expect(await ask(api.app, key, otherJob, { conversation_id })).toBeRefused(404, 'NOT_FOUND')
    for (const unknown of [randomUUID(), 'x', "' OR 1=1"]) {
      expect(await ask(api.app, key, jobId, { conversation_id: unknown })).toBeRefused(404, 'NOT_FOUND')
    }
  })

  test('is listed page by page', async () => {
    const ids: string[] = []
    for (let count = 0; count < 3; count++) ids.push((await ask(api.app, key, jobId)).body.data.conversation_id)
    const list = async (query: object) => {
      const { body } = await get().query(query)
      const listed = body.data.conversations.map((each: { conversation_id: string }) => each.conversation_id)
      return { listed, cursor: body.data.pagination.next_cursor }
    }
    const first = await list({ limit: 2 })
    expect(first.listed).toEqual([ids[2], ids[1]])
    expect(await list({ limit: 2, cursor: first.cursor })).toEqual({ listed: [ids[0]], cursor: null })
    expect((await list({ offset: 1, limit: 1 })).listed).toEqual([ids[1]])
    expect(await get().query({ cursor: first.cursor, offset: 1 })).toBeRefused(400, 'VALIDATION_ERROR', 'query.cursor')
    jobId = await completeTalk(api.context, key)
    expect(await get().query({ cursor: first.cursor })).toBeRefused(400, 'VALIDATION_ERROR', 'query.cursor')
  })

  test('has at most 100 messages, and its last one can still be regenerated', async () => {
    const { conversation_id } = (await ask(api.app, key, jobId)).body.data
    await api.context.db.query(
      `INSERT INTO chat_exchanges (id, conversation_id, user_id, position, question, status, answer, created_at, completed_at)
       SELECT gen_random_uuid(), conversation_id, user_id, n, question, status, answer, now(), now()
       FROM chat_exchanges, generate_series(1, 49) n WHERE conversation_id = $1`,
      [conversation_id],
    )
    expect(await ask(api.app, key, jobId, { conversation_id })).toBeRefused(400, 'VALIDATION_ERROR', 'conversation_id')
    expect((await ask(api.app, key, jobId, { conversation_id, regenerate: true })).status).toBe(200)
    expect((await get(conversation_id)).body.data.message_count).toBe(100)
  })

  test('has another question and answer in place of the last ones after they are regenerated', async () => {
    const { conversation_id } = (await ask(api.app, key, jobId)).body.data
    await ask(api.app, key, jobId, { conversation_id, message: 'Who?' })
    const { body } = await ask(api.app, key, jobId, { conversation_id, message: 'Who else?', regenerate: true })
    const { messages } = (await get(conversation_id)).body.data
    const questions = messages.flatMap((message: { role: string; content: string }) =>
      message.role === 'user' ? [message.content] : [],
    )
    expect(questions).toEqual(['Where was Tharp born?', 'Who else?'])
    expect(messages.at(-1).message_id).toBe(body.data.message.message_id)
  })
})

describe('a question is refused', () => {
  test.each([
    ['without a message', { message: undefined }, 'message'],
    ['with an empty message', { message: ' \n ' }, 'message'],
    ['with a message that is too long', { message: 'x'.repeat(2_001) }, 'message'],
    ['with a lone surrogate', { message: 'a\ud800' }, 'message'],
    ['with a message that is no text', { message: 7 }, 'message'],
    ['with an unknown field', { messages: [] }, 'messages'],
    ['if it regenerates nothing', { regenerate: true }, 'regenerate'],
    ['with a conversation that is no text', { conversation_id: 7 }, 'conversation_id'],
    ['with a stream that is no boolean', { stream: 'yes' }, 'stream'],
  ])('%s', async (_, body, issue) => {
    expect(await ask(api.app, key, jobId, body as object)).toBeRefused(400, 'VALIDATION_ERROR', issue)
    expect((await get()).body.data.conversations).toEqual([])
  })

  test('about a job that has not completed', async () => {
    const unfinished = await acceptTestJob(api.context, key)
    const response = await ask(api.app, key, unfinished)
    expect(response).toBeRefused(409, 'JOB_NOT_COMPLETED')
    expect(response.body.error.details).toEqual({ status: 'queued', progress_percentage: 0 })
    expect(response.headers['retry-after']).toBe('2')
  })

  test("about a failed job, with the job's own error", async () => {
    const failed = await acceptTestJob(api.context, key)
    await failTestJob(api.context, failed, new ServiceError('GEO_BLOCKED'))
    expect(await ask(api.app, key, failed)).toBeRefused(422, 'GEO_BLOCKED')
    expect(await ask(api.app, key, failed, { stream: true })).toBeRefused(422, 'GEO_BLOCKED')
  })

  test.each(['free', 'plus'] as const)(
    'on the plan %s, whose conversations can still be read and deleted',
    async (plan) => {
      const lower = await api.createKey({ plan })
      jobId = await completeTalk(api.context, lower)
      const response = await ask(api.app, lower, jobId)
      expect(response).toBeRefused(403, 'PLAN_UPGRADE_REQUIRED')
      expect(response.body.error.details).toEqual({
        feature: 'chat',
        current_plan: plan,
        required_plan: 'pro',
        violations: [{ feature: 'chat', required_plan: 'pro' }],
      })
      const conversation = await addTestConversation(api.context, lower, jobId)
      expect((await get(conversation, lower)).status).toBe(200)
      expect((await remove(conversation, lower)).status).toBe(200)
    },
  )

  test('once the questions of the day are used up, until the next UTC day', async () => {
    const asked = await Promise.all(Array.from({ length: 7 }, () => ask(api.app, key, jobId)))
    expect(asked.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 429, 429, 429])
    const other = await api.createKey()
    const otherJob = await completeTalk(api.context, other)
    expect((await ask(api.app, other, otherJob)).status).toBe(200)
    const response = await ask(api.app, key, jobId)
    expect(response).toBeRefused(429, 'QUOTA_EXCEEDED')
    expect(response.body.error.details).toEqual({
      quota: 'chat',
      limit: 4,
      used: 4,
      reset_at: '2026-11-23T00:00:00.000Z',
    })
    expect(response.headers['retry-after']).toBe('7200')
    now = new Date('2026-11-23T00:00:00.000Z')
    expect((await ask(api.app, key, jobId)).status).toBe(200)
    // Videos are counted separately.
    const { body } = await supertest(api.app).get('/api/v1/usage/current').set('X-API-Key', key)
    expect(body.data.quotas.daily.used).toBe(0)
  })
})

test('an admin key has no limit of questions', async () => {
  const admin = await api.createKey({ plan: 'free', scopes: ['admin'] })
  jobId = await completeTalk(api.context, admin)
  for (let count = 0; count < 6; count++) expect((await ask(api.app, admin, jobId)).status).toBe(200)
})

test('two questions at once in a conversation get one answer, and the other one CONVERSATION_BUSY', async () => {
  const conversation_id = await addTestConversation(api.context, key, jobId)
  await api.context.db.query(
    `INSERT INTO chat_exchanges (id, conversation_id, user_id, position, question, lease_token, lease_until, created_at)
     SELECT gen_random_uuid(), id, user_id, 1, 'Slow?', gen_random_uuid(), now() + interval '1 hour', now()
     FROM chat_conversations WHERE id = $1`,
    [conversation_id],
  )
  const busy = await ask(api.app, key, jobId, { conversation_id })
  expect(busy).toBeRefused(409, 'CONVERSATION_BUSY')
  expect(busy.headers['retry-after']).toBe('2')
  expect(await remove(conversation_id)).toBeRefused(409, 'CONVERSATION_BUSY')
  const { messages } = (await get(conversation_id)).body.data
  expect(messages.at(-1)).toMatchObject({ role: 'assistant', status: 'pending', content: '', citations: [] })
  expect((await ask(api.app, key, jobId)).status).toBe(200)
})

describe('an idempotency key', () => {
  const askOnce = (idempotencyKey: string, body: object = {}) =>
    ask(api.app, key, jobId, body).set('Idempotency-Key', idempotencyKey)

  test('asks a question once, and gets the same answer every time', async () => {
    const first = await askOnce('q1')
    const again = await askOnce('q1')
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(again.body.data).toEqual(first.body.data)
    expect((await get()).body.data.pagination.total).toBe(1)
    expect(await askOnce('q1', { message: 'Another one?' })).toBeRefused(422, 'IDEMPOTENCY_KEY_REUSED')
  })

  test('streams the stored answer again', async () => {
    const read = async () => {
      const response = await fetch(`http://127.0.0.1:${(await api.serve()).port}${path()}`, {
        method: 'POST',
        headers: { 'X-API-Key': key, 'Content-Type': 'application/json', 'Idempotency-Key': 'q2' },
        body: JSON.stringify({ message: 'Where was Tharp born?', stream: true }),
      })
      return (await response.text()).replace(/^.*?event/s, 'event')
    }
    const first = await read()
    expect(first).toContain('event: done')
    expect(await read()).toBe(first)
    expect((await get()).body.data.pagination.total).toBe(1)
  })
})

test('citations are in the order of the answer', async () => {
  const { citations } = (await ask(api.app, key, jobId)).body.data as { citations: ChatCitation[] }
  const positions = citations.map(({ position }) => position)
  expect(positions).toEqual(positions.toSorted((a, b) => a - b))
})
