import { ChatAnswer } from '@subtext/contracts'
import { waitUntil } from '@subtext/embedded/testing'
import { createMetrics } from '@subtext/runtime'
import supertest from 'supertest'
import { createApp } from '../app.ts'
import { createContext } from '../context.ts'
import { ApiEnv } from '../env.ts'
import { createApiMetrics } from '../metrics.ts'
import { BORN, createGate, FIRST, SECOND, useChatApi } from '../testing/chat-api.ts'
import { TALK } from '../testing/chats.ts'
import { acceptTestJob, completeTestJob } from '../testing/jobs.ts'

const chat = useChatApi()

const LIES = `Bees live in hollow trees. [${BORN}]\nSee https://evil.invalid. [4]\nShe never saw the 77 sea floors she mapped. [4]\n`
const say = (text: string) => chat.messagesApi.failNext({ kind: 'answer', text })

test('answers with checked sentences, and counts what they cost in the usage', async () => {
  say(`${FIRST}${LIES}${SECOND}`)
  const { body } = await chat.ask()
  const data = ChatAnswer.strict().parse(body.data)
  expect(data).toMatchObject({
    answer_kind: 'answer',
    model: 'claude-haiku-5-5',
    message: { content: 'Tharp was born in Michigan in 1920. She never saw the sea floor she mapped.' },
    citations: [
      { segment_id: BORN, text: TALK[BORN - 1]?.text, position: 35 },
      { segment_id: 4, text: TALK[3]?.text, position: 75 },
    ],
  })
  const { total_tokens, cost_usd } = data.usage
  expect(cost_usd).toBeGreaterThan(0)
  expect(await chat.usage()).toEqual({ total_tokens, total_cost: cost_usd, videos_processed: 0 })
})

test('says in the language of the question that the video does not answer it', async () => {
  say('NOT IN VIDEO')
  const { body } = await chat.ask({ message: 'Wie hoch ist der höchste Berg der Welt?' })
  expect(body.data).toMatchObject({
    answer_kind: 'not_in_video',
    message: { content: 'Das Video beantwortet diese Frage nicht.' },
    citations: [],
    model: 'claude-haiku-5-5',
  })
  expect(body.meta.warnings).toBeUndefined()
})

test('sends a sentence and its citations before the model writes the next one', async () => {
  const gate = createGate()
  chat.messagesApi.failNext({ kind: 'pieces', pieces: [FIRST, gate.opened, SECOND] })
  const stream = await chat.stream()
  expect(await stream.next()).toMatchObject({ name: 'delta', data: { text: 'Tharp was born in Michigan in 1920.' } })
  expect(await stream.next()).toMatchObject({ name: 'citation', data: { segment_id: BORN, position: 35 } })
  // The second sentence exists only from now on.
  gate.release()
  expect(await stream.next()).toMatchObject({
    name: 'delta',
    data: { text: ' She never saw the sea floor she mapped.' },
  })
  expect(await stream.next()).toMatchObject({ name: 'citation', data: { segment_id: 4 } })
  const { names, last } = await stream.rest()
  expect(names).toEqual(['done'])
  expect(last?.data).toMatchObject({ answer_kind: 'answer', citations: [{}, {}] })
  // What was streamed is what is stored.
  const { content, status } = await chat.lastMessage(stream.conversationId)
  expect(status).toBe('complete')
  expect(last?.data.message).toMatchObject({ content })
})

test('streams that the video does not answer a question as text of its own', async () => {
  say(LIES)
  const stream = await chat.stream()
  expect(await stream.next()).toMatchObject({
    name: 'delta',
    data: { text: 'The video does not answer this question.' },
  })
  expect((await stream.rest()).last).toMatchObject({
    name: 'done',
    data: { answer_kind: 'not_in_video', citations: [] },
  })
})

test('finishes an answer whose client has gone away', async () => {
  const gate = createGate()
  chat.messagesApi.failNext({ kind: 'pieces', pieces: [FIRST, gate.opened, SECOND] })
  const stream = await chat.stream()
  await stream.next()
  stream.disconnect()
  expect(await chat.lastMessage(stream.conversationId)).toMatchObject({ status: 'pending', content: '' })
  gate.release()
  await waitUntil('the answer is complete', async () => {
    const { status, content } = await chat.lastMessage(stream.conversationId)
    return status === 'complete' && String(content).endsWith('the sea floor she mapped.')
  })
  expect((await chat.usage()).total_cost).toBeGreaterThan(0)
})

test('passes the conversation on to the model, for at most a fifth of what the first question cost', async () => {
  const cues = Array.from({ length: 900 }, (_, index) => ({
    startMs: index * 4_000,
    durationMs: 3_900,
    text: `Entry ${index + 1}: the harbor master measures the height of the tide once more.`,
  }))
  chat.jobId = await acceptTestJob(chat.api.context, chat.key)
  await completeTestJob(chat.api.context, chat.jobId, { cues })
  const first = (await chat.ask({ message: 'What does the harbor master measure?' })).body.data
  const { conversation_id } = first
  const second = (await chat.ask({ message: 'How often?', conversation_id })).body.data
  expect(first.answer_kind).toBe('answer')
  expect(second.usage.cached_input_tokens).toBe(first.usage.cache_write_tokens)
  expect(second.usage.cost_usd * 5).toBeLessThanOrEqual(first.usage.cost_usd)
  const [, call] = chat.messagesApi.calls
  expect(JSON.stringify(call?.body.messages)).toContain('What does the harbor master measure?')
})

test('counts answers by kind, the time to the first text, and sentences that were not shown', async () => {
  const registry = createMetrics()
  const env = { ...chat.api.settings, ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: chat.messagesApi.baseUrl }
  const measured = createContext(ApiEnv.parse(env), { metrics: createApiMetrics(registry) })
  chat.api.onClose(measured.close)
  say(`${FIRST}${LIES}`)
  await chat.ask({}, createApp(measured.context))
  const text = await registry.render()
  expect(text).toContain('subtext_chat_answers_total{kind="answer"} 1')
  expect(text).toContain('subtext_chat_first_text_seconds_count 1')
  for (const reason of ['markup', 'unsupported', 'unsaid_number']) {
    expect(text).toContain(`subtext_chat_dropped_sentences_total{reason="${reason}"} 1`)
  }
  expect(text).toContain('subtext_model_calls_total{model="claude-haiku-5-5",outcome="answered"} 1')
})

test('deletes conversations and what they cost together with the job', async () => {
  const { conversation_id } = (await chat.ask()).body.data
  await chat.api.context.db.query('DELETE FROM jobs WHERE id = $1', [chat.jobId])
  const path = `/api/v1/videos/chat/${chat.jobId}/${conversation_id}`
  expect(await supertest(chat.app).get(path).set('X-API-Key', chat.key)).toBeRefused(404, 'NOT_FOUND')
  const { rowCount } = await chat.api.context.db.query('SELECT FROM chat_exchanges WHERE conversation_id = $1', [
    conversation_id,
  ])
  expect(rowCount).toBe(0)
})
