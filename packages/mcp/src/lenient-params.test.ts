import { createMcpHandler } from '@modelcontextprotocol/server'
import { data, failure, useTestService } from '@subtext/sdk/testing'
import { createMcpServer } from './create-server.ts'

const serve = useTestService()
const RESULT = {
  job_id: 'job-1',
  video_info: {
    title: 'Title',
    url: 'https://example.org/v',
    channel: { name: 'Channel' },
    duration_seconds: 1,
    video_id: 'v',
  },
  summaries: { tldr: 'Short.', detailed: ' ', key_insights: '## First\n\n- One.\n\n### Second\n\n- # no heading' },
  transcript: { text: 'Spoken.', language: 'en', kind: 'manual' },
}

/** Sends a request as a client of the older or the newer protocol does. */
async function call(method: string, params: object, isModern: boolean) {
  return send(await serve(data(RESULT)), method, params, isModern)
}

async function send(service: Awaited<ReturnType<typeof serve>>, method: string, params: object, isModern: boolean) {
  const handler = createMcpHandler(() => createMcpServer(service.client()))
  const version = '2026-07-28'
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const modern = { 'MCP-Protocol-Version': version, 'Mcp-Method': method, 'Mcp-Name': 'get_video_result' }
  const response = await handler.fetch(
    new Request('http://127.0.0.1/mcp', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...(isModern && modern),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, ...(isModern && { _meta }) } }),
    }),
  )
  const text = await response.text()
  await handler.close()
  return JSON.parse(text.startsWith('{') ? text : (/^data: (.+)$/m.exec(text)?.[1] ?? 'null'))
}

describe.each([
  ['older', false],
  ['newer', true],
])('a client of the %s protocol', (_, isModern) => {
  test.each(['tools/list', 'prompts/list', 'resources/templates/list'])(
    'gets the first page of %s with a cursor of null',
    async (method) => {
      const answer = await call(method, { cursor: null }, isModern)
      expect(answer.error).toBeUndefined()
      expect(Object.values(answer.result).flat().length).toBeGreaterThan(0)
    },
  )

  test.each([
    [{ job_id: 'job-1', include: null, cursor: null, max_chars: '2000' }],
    [{ job_id: 'job-1', include: '', cursor: '', max_chars: '' }],
  ])('calls a tool with arguments as models write them: %j', async (args) => {
    const { result, error } = await call('tools/call', { name: 'get_video_result', arguments: args }, isModern)
    expect(error).toBeUndefined()
    expect(result).toMatchObject({ structuredContent: { job_id: 'job-1', status: 'completed' } })
  })
})

test.each(['summarize_platform_video', 'process_platform_video'])(
  '%s passes on the language of the summaries, and everything else that is asked for',
  async (name) => {
    const args = {
      video_url: 'sbtx-en-map',
      summary_modes: 'tldr',
      language: 'en',
      output_language: 'de',
      custom_instructions: 'Numbers.',
    }
    const service = await serve(failure(403, 'PLAN_UPGRADE_REQUIRED', false))
    await send(service, 'tools/call', { name, arguments: args }, false)
    expect(JSON.parse(service.requests[0]?.body ?? '')).toEqual({
      url: 'sbtx-en-map',
      options: { summary_modes: ['tldr'], language: 'en', output_language: 'de' },
      custom_instructions: 'Numbers.',
    })
  },
)

test('there are at most nine tools, which say how long their results may be and take little of a context window', async () => {
  const { result } = await call('tools/list', {}, true)
  expect(result.tools.length).toBeLessThanOrEqual(9)
  for (const { _meta } of result.tools) expect(_meta).toEqual({ 'anthropic/maxResultSizeChars': 100_000 })
  expect(Buffer.byteLength(JSON.stringify(result)) / 4).toBeLessThanOrEqual(4_500)
})

test('a result has no heading without a text, and the headings of a summary are below its own', async () => {
  const { result } = await call('tools/call', { name: 'get_video_result', arguments: { job_id: 'job-1' } }, true)
  expect(result.structuredContent.text).toBe(
    '# Title\n\nChannel · https://example.org/v\n\n## TL;DR\n\nShort.\n\n## Key insights\n\n### First\n\n- One.\n\n#### Second\n\n- # no heading',
  )
})
