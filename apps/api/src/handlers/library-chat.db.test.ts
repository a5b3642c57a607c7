import { randomUUID } from 'node:crypto'
import { LibraryAnswer, LibraryConversationWithMessages } from '@subtext/contracts'
import supertest from 'supertest'
import { BORN, useChatApi } from '../testing/chat-api.ts'
import { TALK } from '../testing/chats.ts'
import { acceptTestJob } from '../testing/jobs.ts'
import { useTestLibrary } from '../testing/library.ts'
import { askedLibrary, askLibrary } from '../testing/library-chat.ts'

const chat = useChatApi()
const library = useTestLibrary(chat.api)
const BEES = ['Scouts inspect about thirty hollow trees.', 'A good cavity holds forty liters.', 'The swarm lifts off.']
const say = (text: string) => ({ kind: 'answer', text }) as const
const WORDS = { instructionIncludes: 'search words' }
const ANSWER = { instructionIncludes: 'Size of a nest' }

/** Its captions end before it does. */
const LONG = { duration_seconds: 3_600 }
beforeEach(async () => {
  await supertest(chat.app).delete(`/api/v1/videos/${chat.jobId}`).set('X-API-Key', chat.key).expect(204)
  chat.jobId = await library.say(chat.key, TALK, { info: LONG, videoId: 'dQw4w9WgXcQ' })
})

const get = (path: string) => supertest(chat.app).get(`/api/v1/library/chat${path}`).set('X-API-Key', chat.key)

/** Returns the number of a line in the last document that the model has read. */
function numberOf(text: string): number {
  const prompts = chat.messagesApi.calls.map(({ body }) => JSON.stringify(body))
  const found = new RegExp(`\\[(\\d+)\\] [^\\[]*?${text}`).exec(prompts.at(-1) ?? '')
  return Number(found?.[1])
}

describe('without a model', () => {
  test('a question is answered with the passages that fit best, each citing its video', async () => {
    const bees = await library.say(chat.key, BEES, { info: { ...LONG, title: 'Bees' } })
    const answer = LibraryAnswer.strict().parse(
      await askedLibrary(chat.api.app, chat.key, { message: 'How many liters does a cavity hold?' }),
    )
    expect(answer).toMatchObject({ answer_kind: 'passages', model: 'extractive', usage: { cost_usd: 0 } })
    expect(answer.citations[0]).toMatchObject({ job_id: bees, video_title: 'Bees', segment_id: 1, start: 0 })
    expect(answer.citations[0]?.text).toContain('forty liters')
    expect(answer.message.content.startsWith(answer.citations[0]?.text ?? '-')).toBe(true)
  })

  test('what nobody says is in none of the videos', async () => {
    const answer = await askedLibrary(chat.api.app, chat.key, { message: 'Xylophon?' })
    expect(answer).toMatchObject({ answer_kind: 'not_in_video', citations: [] })
    expect(answer.message.content).toBe('None of the videos answers this question.')
  })

  test('a stream has the passages, their citations and the whole answer at the end', async () => {
    const response = await askLibrary(chat.api.app, chat.key, { stream: true, scope: { all: true } })
    const events = [...response.text.matchAll(/event: (\w+)\nid: \d+\ndata: (.*)/g)]
    expect(events.map(([, name]) => name)).toEqual([
      'delta',
      'citation',
      'delta',
      'citation',
      'delta',
      'citation',
      'done',
    ])
    const done = JSON.parse(events.at(-1)?.[2] ?? '')
    expect(JSON.parse(events[1]?.[2] ?? '')).toEqual(done.citations[0])
    expect(done.citations[0]).toMatchObject({ job_id: chat.jobId })
  })
})

describe('a scope', () => {
  test('selects some jobs, and leaves out those that are not completed', async () => {
    await library.say(chat.key, ['Tharp was born on a boat, says another video about Tharp.'])
    const pending = await acceptTestJob(chat.api.context, chat.key)
    const answer = await askedLibrary(chat.api.app, chat.key, { scope: { job_ids: [chat.jobId, pending] } })
    expect(new Set(answer.citations.map(({ job_id }) => job_id))).toEqual(new Set([chat.jobId]))
  })

  test('finds an older job of a video that the library has a newer one of', async () => {
    const older = await library.say(chat.key, ['The lighthouse burned in spring.'], { videoId: 'lighthouse1' })
    await library.say(chat.key, ['The lighthouse burned in autumn.'], { videoId: 'lighthouse1' })
    const answer = await askedLibrary(chat.api.app, chat.key, {
      message: 'When did the lighthouse burn?',
      scope: { job_ids: [older] },
    })
    expect(answer.message.content).toBe('The lighthouse burned in spring.')
    expect(answer.citations.map(({ job_id }) => job_id)).toEqual([older])
  })

  test('is required in the first message, and kept by later ones', async () => {
    const missing = await askLibrary(chat.api.app, chat.key)
    expect([missing.status, missing.body.error.details.issues[0].path]).toEqual([400, 'scope'])
    expect(missing.body.error.message).toMatch(/^`scope` is required in the first message/)
    const scope = { job_ids: [chat.jobId] }
    const { conversation_id } = await askedLibrary(chat.api.app, chat.key, { scope })
    for (const same of [undefined, scope]) {
      expect((await askLibrary(chat.api.app, chat.key, { conversation_id, scope: same })).status).toBe(200)
    }
    const other = await askLibrary(chat.api.app, chat.key, { conversation_id, scope: { all: true } })
    expect([other.status, other.body.error.details.issues[0].path]).toEqual([400, 'scope'])
  })

  test.each([
    ['two scopes', { all: true, batch_id: randomUUID() }, 400],
    ['none', {}, 400],
    ['no jobs', { job_ids: [] }, 400],
    ['too many jobs', { job_ids: Array.from({ length: 501 }, () => randomUUID()) }, 400],
    ['all: false', { all: false }, 400],
    ['an unknown job', { job_ids: [randomUUID()] }, 404],
    ['a malformed job', { job_ids: ['x'] }, 404],
    ['an unknown batch', { batch_id: randomUUID() }, 404],
    ['an unknown source', { source_id: 'x' }, 404],
  ])('refuses %s', async (_, scope, status) => {
    const response = await askLibrary(chat.api.app, chat.key, { scope: scope as never })
    expect(response.status).toBe(status)
    if (status === 400)
      expect(response.body.error.message).toMatch(/^`scope(\.\w+)?` must .* 1 |^`scope` must be one of .*500 jobs/)
  })

  test('takes null for the kinds of scope that are not meant', async () => {
    const scope = { job_ids: [chat.jobId], batch_id: null, source_id: null, all: null }
    expect((await askLibrary(chat.api.app, chat.key, { scope: scope as never })).status).toBe(200)
  })

  test("refuses another account's job, and its conversation", async () => {
    const stranger = await chat.api.createKey()
    expect((await askLibrary(chat.api.app, stranger, { scope: { job_ids: [chat.jobId] } })).status).toBe(404)
    const { conversation_id } = await askedLibrary(chat.api.app, chat.key)
    expect((await askLibrary(chat.api.app, stranger, { conversation_id })).status).toBe(404)
    const read = await supertest(chat.api.app).get(`/api/v1/library/chat/${conversation_id}`).set('X-API-Key', stranger)
    expect(read.status).toBe(404)
  })
})

describe('with a model', () => {
  test('words of the model find what the question does not name, and sentences cite the videos that say them', async () => {
    const bees = await library.say(chat.key, BEES, { info: { ...LONG, title: 'Bees' } })
    const before = await chat.usage()
    chat.messagesApi.failNext(say('cavity\nborn in Michigan'), WORDS)
    chat.messagesApi.failNext(say('NOT IN VIDEO'), ANSWER)
    const first = await askedLibrary(chat.app, chat.key, { message: 'Size of a nest, origin of the mapper?' })
    expect(first.answer_kind).toBe('not_in_video')
    const [holds, born] = [numberOf('A good cavity'), numberOf('born in Michigan')]
    expect([holds, born]).toEqual([expect.any(Number), expect.any(Number)])
    expect([holds, born]).not.toContain(Number.NaN)
    chat.messagesApi.failNext(say('cavity\nborn in Michigan'), WORDS)
    chat.messagesApi.failNext(
      say(
        [
          `A good cavity holds forty liters. [${holds}]`,
          `A good cavity holds fifty liters. [${holds}]`,
          `Tharp was born in Michigan. [${holds}]`,
          `A good cavity holds forty liters, while Tharp was born in Michigan. [${holds}, ${born}]`,
        ].join('\n'),
      ),
      ANSWER,
    )
    const answer = await askedLibrary(chat.app, chat.key, { message: 'Size of a nest, origin of the mapper?' })
    expect(answer.message.content).toBe(
      'A good cavity holds forty liters. A good cavity holds forty liters, while Tharp was born in Michigan.',
    )
    expect(answer.citations.map(({ job_id, segment_id }) => [job_id, segment_id])).toEqual(
      expect.arrayContaining([
        [bees, 2],
        [chat.jobId, BORN],
      ]),
    )
    expect(answer.usage.cost_usd).toBeGreaterThan(0)
    expect((await chat.usage()).total_cost - before.total_cost).toBeCloseTo(
      first.usage.cost_usd + answer.usage.cost_usd,
      5,
    )
  })

  test('no moment is beyond the end of its video', async () => {
    const lines = ['The tide rises twice a day.', 'The tide is highest in spring.']
    const cues = lines.map((text, nth) => ({ startMs: nth * 90_000, durationMs: 900, text }))
    const job = await library.say(chat.key, cues, { info: { duration_seconds: 60 } })
    const answer = await askedLibrary(chat.api.app, chat.key, {
      message: 'When is the tide highest?',
      scope: { job_ids: [job] },
    })
    expect(answer.citations.map(({ start }) => start)).toEqual([0])
    expect(answer.message.content).toBe('The tide rises twice a day.')
  })
})

test('a conversation is listed with its scope and messages, continued, and deleted', async () => {
  const { conversation_id } = await askedLibrary(chat.api.app, chat.key)
  await askedLibrary(chat.api.app, chat.key, { conversation_id, message: 'And when?', scope: undefined })
  const { body } = await get('')
  expect(body.data.conversations).toMatchObject([{ conversation_id, message_count: 4, scope: { all: true } }])
  const found = LibraryConversationWithMessages.parse((await get(`/${conversation_id}`)).body.data)
  expect(found.messages).toHaveLength(4)
  expect(found.messages[1]).toMatchObject({
    citations: [{ job_id: chat.jobId }, { job_id: chat.jobId }, { job_id: chat.jobId }],
  })
  // The conversations of a job are others.
  const ofJob = await supertest(chat.app).get(`/api/v1/videos/chat/${chat.jobId}`).set('X-API-Key', chat.key)
  expect(ofJob.body.data.conversations).toEqual([])
  const deleted = await supertest(chat.app).delete(`/api/v1/library/chat/${conversation_id}`).set('X-API-Key', chat.key)
  expect(deleted.body.data).toEqual({ conversation_id, deleted: true })
  expect((await get(`/${conversation_id}`)).status).toBe(404)
})

test('deleting a job removes its citations and what they quote', async () => {
  const bees = await library.say(chat.key, BEES, { info: LONG })
  const message = 'How many liters does a cavity hold, and where was Tharp born?'
  const { conversation_id, citations } = await askedLibrary(chat.api.app, chat.key, { message })
  expect(citations.map(({ job_id }) => job_id)).toContain(bees)
  await supertest(chat.app).delete(`/api/v1/videos/${bees}`).set('X-API-Key', chat.key).expect(204)
  const [, answer] = (await get(`/${conversation_id}`)).body.data.messages
  expect(answer.citations.length).toBeGreaterThan(0)
  expect(JSON.stringify(answer)).not.toMatch(new RegExp(`${bees}|forty liters`))
  expect(answer.warnings).toMatchObject([{ code: 'CITED_VIDEO_DELETED' }])
})

test('is refused below Pro', async () => {
  const key = await chat.api.createKey({ plan: 'plus' })
  const { status, body } = await askLibrary(chat.api.app, key, { scope: { all: true } })
  expect([status, body.error.code]).toEqual([403, 'PLAN_UPGRADE_REQUIRED'])
})
