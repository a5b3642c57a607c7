import { randomUUID } from 'node:crypto'
import { waitUntil } from '@subtext/embedded/testing'
import supertest from 'supertest'
import { createStreamLimiter } from '../http/event-stream.ts'
import { useTestApi } from '../testing/api.ts'
import { createGate } from '../testing/chat-api.ts'
import { ask, completeTalk } from '../testing/chats.ts'

const api = useTestApi({ CHAT_DAILY_MESSAGES: '4' })
let key: string
let jobId: string
beforeEach(async () => {
  key = await api.createKey()
  jobId = await completeTalk(api.context, key)
})

describe('more answers at a time than an account can have', () => {
  const countConversations = async () => {
    const response = await supertest(api.app).get(`/api/v1/videos/chat/${jobId}`).set('X-API-Key', key)
    return response.body.data.pagination.total as number
  }

  /** Lets each account have one answer at a time, which is written but not done until `finish` is called. */
  const holdAnswers = () => {
    const { acquireAnswer, answers } = api.context
    const gate = createGate()
    api.context.acquireAnswer = createStreamLimiter(1)
    api.context.answers = {
      ...answers,
      start(question) {
        const answer = answers.start(question)
        return { ...answer, done: gate.opened.then(() => answer.done) }
      },
    }
    return { finish: gate.release, restore: () => Object.assign(api.context, { acquireAnswer, answers }) }
  }

  test('are refused as streams before the question is stored and counted', async () => {
    const { acquireStream } = api.context
    api.context.acquireStream = createStreamLimiter(0)
    try {
      expect(await ask(api.app, key, jobId, { stream: true })).toBeRefused(429, 'RATE_LIMITED')
    } finally {
      api.context.acquireStream = acquireStream
    }
    expect(await countConversations()).toBe(0)
    for (let question = 0; question < 4; question++) expect((await ask(api.app, key, jobId)).status).toBe(200)
  })

  test('are refused as streams while the question of another one is being stored, and accepted when it has ended', async () => {
    const { acquireStream, answers } = api.context
    const acquire = createStreamLimiter(1)
    const isFree = (userId: string): boolean => {
      try {
        acquire(userId)()
        return true
      } catch {
        return false
      }
    }
    let userId = ''
    let wasFree: boolean | undefined
    api.context.acquireStream = acquire
    api.context.answers = {
      ...answers,
      start(question) {
        userId = question.actor.userId
        wasFree = isFree(userId)
        return answers.start(question)
      },
    }
    try {
      const { status, text } = await ask(api.app, key, jobId, { stream: true })
      expect([status, text]).toEqual([200, expect.stringContaining('event: done')])
      expect(wasFree).toBe(false)
      await waitUntil('the stream has ended', async () => isFree(userId))
      const refused = await ask(api.app, key, jobId, { stream: true, conversation_id: randomUUID() })
      expect(refused).toBeRefused(404, 'NOT_FOUND')
      await waitUntil('the refused question holds nothing', async () => isFree(userId))
    } finally {
      Object.assign(api.context, { acquireStream, answers })
    }
  })

  test('are refused while the others are being written, even if nobody waits for them, and accepted when they are done', async () => {
    const { finish, restore } = holdAnswers()
    try {
      const first = ask(api.app, key, jobId).then(({ status }) => status)
      await waitUntil('the first question is stored', async () => (await countConversations()) === 1)
      expect(await ask(api.app, key, jobId)).toBeRefused(429, 'RATE_LIMITED')
      expect(await countConversations()).toBe(1)
      const other = await api.createKey()
      expect((await ask(api.app, other, jobId)).status).toBe(404)
      finish()
      expect(await first).toBe(200)
      expect((await ask(api.app, key, jobId)).status).toBe(200)
      // One that is refused for another reason holds nothing.
      expect((await ask(api.app, key, jobId, { conversation_id: randomUUID() })).status).toBe(404)
      expect((await ask(api.app, key, jobId)).status).toBe(200)
    } finally {
      finish()
      restore()
    }
  })

  test('are none if they repeat the question of one of them', async () => {
    const { finish, restore } = holdAnswers()
    const repeat = () => ask(api.app, key, jobId, { stream: true }).set('Idempotency-Key', 'same')
    try {
      const first = repeat().then(({ text }) => text)
      await waitUntil('the first request is stored', async () => {
        const { rowCount } = await api.context.db.query(
          `SELECT FROM idempotency_keys WHERE key = 'same' AND response IS NOT NULL`,
        )
        return rowCount === 1
      })
      expect((await repeat()).text).toContain('event: done')
      expect(await ask(api.app, key, jobId)).toBeRefused(429, 'RATE_LIMITED')
      finish()
      expect(await first).toContain('event: done')
      expect(await countConversations()).toBe(1)
    } finally {
      finish()
      restore()
    }
  })
})
