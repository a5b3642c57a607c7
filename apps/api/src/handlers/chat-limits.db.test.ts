import { randomUUID } from 'node:crypto'
import { waitUntil } from '@subtext/embedded/testing'
import supertest from 'supertest'
import { createStreamLimiter } from '../http/event-stream.ts'
import { useTestApi } from '../testing/api.ts'
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

  test('are refused while the others are being written, even if nobody waits for them, and accepted when they are done', async () => {
    const { acquireAnswer, answers } = api.context
    let finish = (): void => {}
    const held = new Promise<void>((resolve) => {
      finish = resolve
    })
    api.context.acquireAnswer = createStreamLimiter(1)
    api.context.answers = {
      ...answers,
      start(question) {
        const answer = answers.start(question)
        return { ...answer, done: held.then(() => answer.done) }
      },
    }
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
      Object.assign(api.context, { acquireAnswer, answers })
    }
  })
})
