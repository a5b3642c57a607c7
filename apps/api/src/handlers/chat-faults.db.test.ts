import { failAbandonedAnswers } from '@subtext/core/chats'
import { waitUntil } from '@subtext/embedded/testing'
import type { Fault } from '@subtext/fakes'
import type { Express } from 'express'
import supertest from 'supertest'
import type { ApiProcess } from '../testing/api.ts'
import { createGate, FIRST, SECOND, useChatApi } from '../testing/chat-api.ts'

const chat = useChatApi()

describe('a model that is not available', () => {
  let hasty: ApiProcess
  beforeAll(() => {
    hasty = chat.openBeside({ MODEL_SILENCE_SECONDS: '2' })
  })
  afterAll(() => hasty.close())

  test.each<[string, Fault]>([
    ['responds with errors', { status: 500, headers: { 'retry-after-ms': '1' } }],
    ['is not paid', { status: 402 }],
    ['dies before its first sentence', { kind: 'pieces', pieces: ['Tharp'], end: 'dropped' }],
    ['stalls before its first sentence', { kind: 'pieces', pieces: ['Tharp'], end: 'stall' }],
  ])('(it %s) is replaced by passages, with a warning', async (_, fault) => {
    chat.messagesApi.failNext(fault, { times: 9 })
    const { status, body } = await chat.ask({}, hasty.app)
    expect([status, body.data.answer_kind, body.data.model]).toEqual([200, 'passages', 'extractive'])
    expect(body.meta.warnings).toMatchObject([{ code: 'MODEL_UNAVAILABLE' }])
    expect(body.data.citations).toHaveLength(3)
    // What was paid before it failed still counts.
    expect((await chat.usage()).total_cost).toBe(body.data.usage.cost_usd)
  })

  test('leaves an incomplete answer if it dies after a sentence, with a warning', async () => {
    chat.messagesApi.failNext({ kind: 'pieces', pieces: [`${FIRST}She never`], end: 'dropped' })
    const stream = await chat.stream()
    const { names, last } = await stream.rest()
    expect(names).toEqual(['delta', 'citation', 'done'])
    const warnings = [{ code: 'ANSWER_INCOMPLETE' }]
    expect(last?.data).toMatchObject({ answer_kind: 'answer', warnings })
    expect(await chat.lastMessage(stream.conversationId)).toMatchObject({ status: 'complete', warnings })
  })

  test('is replaced by passages if it declines', async () => {
    chat.messagesApi.failNext({ kind: 'refusal' })
    const { body } = await chat.ask()
    expect(body.data.answer_kind).toBe('passages')
    expect(body.meta.warnings).toMatchObject([{ code: 'ANSWER_DECLINED' }])
  })
})

describe('an answer whose process ends', () => {
  test('is failed at once when the process stops in order, costs nothing, and can be regenerated', async () => {
    const stopping = chat.openBeside()
    chat.messagesApi.failNext({ kind: 'pieces', pieces: [FIRST], end: 'stall' })
    const stream = await chat.stream({}, stopping.app)
    await stream.next()
    await stream.next()
    await stopping.context.answers.close(0)
    expect(await stream.next()).toMatchObject({ name: 'error', data: { code: 'SERVICE_UNAVAILABLE', retryable: true } })
    const { conversationId: conversation_id } = stream
    expect(await chat.lastMessage(conversation_id)).toMatchObject({ status: 'failed', content: '', citations: [] })
    expect((await chat.usage()).total_cost).toBe(0)
    chat.messagesApi.failNext({ kind: 'answer', text: SECOND })
    const { body } = await chat.ask({ conversation_id, regenerate: true })
    expect(body.data.message.content).toBe('She never saw the sea floor she mapped.')
    expect(await chat.lastMessage(conversation_id)).toMatchObject(body.data.message)
    await stopping.close()
  })

  test('is finished if the process has the time', async () => {
    const stopping = chat.openBeside()
    const gate = createGate()
    chat.messagesApi.failNext({ kind: 'pieces', pieces: [FIRST, gate.opened, SECOND] })
    const stream = await chat.stream({}, stopping.app)
    await stream.next()
    stopping.drain()
    const closed = stopping.context.answers.close(60_000)
    gate.release()
    await closed
    expect((await stream.rest()).last).toMatchObject({ name: 'done', data: { answer_kind: 'answer' } })
    await stopping.close()
  })

  test('is failed by the sweep when the process dies, and what comes later changes nothing', async () => {
    const gate = createGate()
    chat.messagesApi.failNext({ kind: 'pieces', pieces: [FIRST, gate.opened, SECOND] })
    const stream = await chat.stream()
    await stream.next()
    await chat.api.context.db.query(
      `UPDATE chat_exchanges SET lease_until = now() - interval '1 second' WHERE conversation_id = $1`,
      [stream.conversationId],
    )
    expect(await failAbandonedAnswers(chat.api.context)).toBe(1)
    gate.release()
    expect((await stream.rest()).last).toMatchObject({ name: 'error', data: { code: 'SERVICE_UNAVAILABLE' } })
    expect((await chat.lastMessage(stream.conversationId)).status).toBe('failed')
    expect((await chat.usage()).total_cost).toBe(0)
  })
})

test('answers while Redis is away', async () => {
  const alone = chat.openBeside({ REDIS_URL: 'redis://127.0.0.1:9' })
  chat.messagesApi.failNext({ kind: 'answer', text: FIRST })
  const { status, body } = await chat.ask({}, alone.app)
  expect([status, body.data.answer_kind]).toEqual([200, 'answer'])
  await alone.close()
})

test('lets repeated requests follow the answer that the first one started, in its process and in others', async () => {
  const gate = createGate()
  chat.messagesApi.failNext({ kind: 'pieces', pieces: [FIRST, gate.opened, SECOND] })
  const send = async (app: Express): Promise<string> =>
    (await chat.ask({ stream: true }, app).set('Idempotency-Key', 'same')).text
  const first = send(chat.app)
  await waitUntil('the first request is stored', async () => {
    const { rowCount } = await chat.api.context.db.query(
      `SELECT FROM idempotency_keys WHERE key = 'same' AND response IS NOT NULL`,
    )
    return rowCount === 1
  })
  const others = [chat.app, chat.api.app].map(send)
  gate.release()
  for (const text of await Promise.all([first, ...others])) {
    expect(text).toContain('event: done')
    expect(text.match(/event: delta/g)).toHaveLength(2)
  }
  expect(chat.messagesApi.calls).toHaveLength(1)
})

test('cuts the stream of a key that is revoked, and finishes the answer', async () => {
  const gate = createGate()
  chat.messagesApi.failNext({ kind: 'pieces', pieces: [FIRST, gate.opened, SECOND] })
  const stream = await chat.stream()
  await stream.next()
  await chat.api.context.db.query('UPDATE api_keys SET disabled_at = now()')
  await expect(stream.rest()).rejects.toThrow()
  gate.release()
  await waitUntil('the answer is complete', async () => {
    const { rowCount } = await chat.api.context.db.query(
      `SELECT FROM chat_exchanges WHERE conversation_id = $1 AND status = 'complete'`,
      [stream.conversationId],
    )
    return rowCount === 1
  })
})

describe('while an answer is being written', () => {
  const isOver = (conversationId: string) =>
    waitUntil('the answer is over', async () => {
      const { rowCount } = await chat.api.context.db.query(
        `SELECT FROM chat_exchanges WHERE conversation_id = $1 AND status = 'pending'`,
        [conversationId],
      )
      return rowCount === 0
    })

  test('its conversation is not deleted, and is afterwards', async () => {
    const gate = createGate()
    chat.messagesApi.failNext({ kind: 'pieces', pieces: [FIRST, gate.opened, SECOND] })
    const stream = await chat.stream()
    await stream.next()
    const path = `/api/v1/videos/chat/${chat.jobId}/${stream.conversationId}`
    const remove = () => supertest(chat.app).delete(path).set('X-API-Key', chat.key)
    expect(await remove()).toBeRefused(409, 'CONVERSATION_BUSY')
    gate.release()
    await stream.rest()
    await isOver(stream.conversationId)
    expect((await remove()).status).toBe(200)
    expect(await remove()).toBeRefused(404, 'NOT_FOUND')
  })

  test('its job is deleted, and the stream ends with an error instead of an answer', async () => {
    const gate = createGate()
    chat.messagesApi.failNext({ kind: 'pieces', pieces: [FIRST, gate.opened, SECOND] })
    const stream = await chat.stream()
    await stream.next()
    await chat.api.context.db.query('DELETE FROM jobs WHERE id = $1', [chat.jobId])
    gate.release()
    const { last } = await stream.rest()
    expect(last).toMatchObject({ name: 'error' })
    expect((await chat.usage()).total_cost).toBe(0)
  })
})

describe('an answer whose storage is not confirmed', () => {
  /** Loses what the database answers to the transaction that stores an answer. */
  const loseConfirmation = (context: ApiProcess['context'], times: number): (() => number) => {
    const { transaction } = context.db
    let lost = 0
    context.db.transaction = async (work) => {
      let stores = false
      const result = await transaction.call(context.db, (sql) =>
        work({
          query: (text, values) => {
            stores ||= text.includes("SET status = 'complete'")
            return sql.query(text, values)
          },
        }),
      )
      if (!stores || lost >= times) return result as never
      lost++
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
    }
    return () => lost
  }

  test('is returned, and costs what it has cost', async () => {
    const process = chat.openBeside()
    const lost = loseConfirmation(process.context, 1)
    chat.messagesApi.failNext({ kind: 'answer', text: FIRST })
    const { status, body } = await chat.ask({}, process.app)
    expect([status, body.data?.answer_kind, lost()]).toEqual([200, 'answer', 1])
    expect((await chat.usage()).total_cost).toBe(body.data.usage.cost_usd)
    expect(chat.messagesApi.calls).toHaveLength(1)
    await process.close()
  })
})
