import { createMcpHandler } from '@modelcontextprotocol/server'
import { data, useTestService } from '@subtext/sdk/testing'
import { createMcpServer } from '../create-server.ts'

const serve = useTestService()
const MAX_TOOLS = 9
const MAX_TOKENS = 4_500
const BYTES_PER_TOKEN = 4

const ANSWER = {
  conversation_id: 'conversation-1',
  message: { message_id: 'm', role: 'assistant', content: 'The ridge is long.', created_at: '2026-11-28T00:00:00Z' },
  answer_kind: 'answer',
  citations: [{ job_id: 'job-1', video_title: 'Ridges', url: 'https://example.org/v', text: 'Long.', start: 1 }],
  model: 'm',
  usage: {},
}

async function send(service: Awaited<ReturnType<typeof serve>>, method: string, params: object) {
  const handler = createMcpHandler(() => createMcpServer(service.client()))
  const response = await handler.fetch(
    new Request('http://127.0.0.1/mcp', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    }),
  )
  const text = await response.text()
  await handler.close()
  return JSON.parse(text.startsWith('{') ? text : (/^data: (.+)$/m.exec(text)?.[1] ?? 'null')).result
}

test('there are at most nine tools, whose definitions take at most 4,500 tokens', async () => {
  const { tools } = await send(await serve(data(ANSWER)), 'tools/list', {})
  expect(tools.length).toBeLessThanOrEqual(MAX_TOOLS)
  expect(Buffer.byteLength(JSON.stringify({ tools })) / BYTES_PER_TOKEN).toBeLessThanOrEqual(MAX_TOKENS)
})

const JOB = { job_id: 'job-1', status: 'queued', created_at: '2026-11-28T00:00:00Z' }
const EPISODE = { source_id: 's', video_id: 'pod-1' }

test.each([
  ['process_platform_video', { source: EPISODE }],
  ['process_platform_video', { source: JSON.stringify(EPISODE), video_url: '' }],
])('%s submits an episode of a podcast by its source', async (name, args) => {
  const service = await serve(data(JOB))
  const result = await send(service, 'tools/call', { name, arguments: args })
  expect(result.structuredContent).toMatchObject({ job_id: 'job-1' })
  expect(JSON.parse(service.requests.at(-1)?.body ?? '')).toMatchObject({ source: EPISODE })
})

test.each([
  ['process_platform_video', {}],
  ['process_platform_video', { source: EPISODE, video_url: 'https://youtu.be/dQw4w9WgXcQ' }],
  ['summarize_platform_video', { source: EPISODE, video_url: 'https://youtu.be/dQw4w9WgXcQ' }],
  ['get_video_transcript', { source: EPISODE, job_id: 'job-1' }],
  ['get_video_transcript', {}],
])('%s refuses %j, which does not name one thing', async (name, args) => {
  const service = await serve(data(JOB))
  const result = await send(service, 'tools/call', { name, arguments: args })
  expect([result.isError, service.requests]).toEqual([true, []])
})

test.each([
  [{ question: 'How long?' }, { message: 'How long?', scope: { all: true } }],
  [
    { question: 'How long?', scope: null },
    { message: 'How long?', scope: { all: true } },
  ],
  [
    { question: 'How long?', scope: {} },
    { message: 'How long?', scope: { all: true } },
  ],
  [
    { question: 'How long?', scope: '{"batch_id":"b","all":null}' },
    { message: 'How long?', scope: { batch_id: 'b' } },
  ],
  [
    { question: 'And why?', conversation_id: 'c' },
    { message: 'And why?', conversation_id: 'c' },
  ],
])('a question with the arguments %j is asked of the library', async (args, body) => {
  const service = await serve(data(ANSWER))
  const result = await send(service, 'tools/call', { name: 'ask_library', arguments: args })
  expect(result.structuredContent).toEqual({
    conversation_id: 'conversation-1',
    answer_kind: 'answer',
    answer: 'The ridge is long.',
    citations: [{ job_id: 'job-1', video_title: 'Ridges', url: 'https://example.org/v', text: 'Long.' }],
  })
  expect(service.requests.map(({ method, url, body: sent }) => [method, url, JSON.parse(sent)])).toEqual([
    ['POST', expect.stringContaining('/library/chat'), body],
  ])
})
