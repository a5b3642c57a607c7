import { createMcpHandler } from '@modelcontextprotocol/server'
import { data, failure, useTestService } from '@subtext/sdk/testing'
import { createMcpServer } from './create-server.ts'

const serve = useTestService()
const RESULT = { summaries: { tldr: 'Short.' }, transcript: { text: 'Long.' } }

/** Reads a resource as a client does; returns the text or the code of the error. */
async function read(uri: string, ...responders: Parameters<typeof serve>): Promise<string | number | undefined> {
  const service = await serve(...responders)
  const handler = createMcpHandler(() => createMcpServer(service.client({ maxRetries: 0 })))
  const response = await handler.fetch(
    new Request('http://127.0.0.1/mcp', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } }),
    }),
  )
  const [, json = ''] = /^data: (.+)$/m.exec(await response.text()) ?? []
  const { result, error } = JSON.parse(json)
  return result?.contents[0].text ?? error?.code
}

test('the transcript and the summaries of a job are resources', async () => {
  expect(await read('video://job-1/transcript', data(RESULT))).toBe('Long.')
  expect(await read('video://job-1/summary/tldr', data(RESULT))).toBe('Short.')
})

test.each([
  ['a mode that was not requested', 'video://job-1/summary/detailed'],
  ['what every object has', 'video://job-1/summary/constructor'],
  ['what is no ID', 'video://../transcript'],
])('a resource is not found if it is %s', async (_, uri) => {
  expect(await read(uri, data(RESULT))).toBe(-32_602)
})

test('a resource of an unknown job is not found, and a service that is away is an internal error', async () => {
  expect(await read('video://job-1/transcript', failure(404, 'NOT_FOUND', false))).toBe(-32_602)
  expect(await read('video://job-1/transcript', failure(503, 'SERVICE_UNAVAILABLE', true))).toBe(-32_603)
})
