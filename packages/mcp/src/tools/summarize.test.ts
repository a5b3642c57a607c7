import { createMcpHandler } from '@modelcontextprotocol/server'
import { Subtext } from '@subtext/sdk'
import { createMcpServer } from '../create-server.ts'

test('answers with the ID of the job in time, even if the status of the job cannot be read', async () => {
  let questions = 0
  const fetch = (async (url: string, init?: RequestInit) => {
    if (url.endsWith('/videos/process')) {
      return Response.json({ success: true, data: { job_id: 'the-job', status: 'queued' } }, { status: 202 })
    }
    if (url.includes('/events/')) {
      return new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
    }
    questions++
    const error = { code: 'SERVICE_UNAVAILABLE', message: 'Later.', retryable: true }
    return Response.json({ success: false, error }, { status: 503, headers: { 'Retry-After': '30' } })
  }) as typeof globalThis.fetch
  const subtext = new Subtext({ apiKey: 'sk_x', baseUrl: 'http://127.0.0.1:3000', fetch })
  const handler = createMcpHandler(() => createMcpServer(subtext))
  const params = {
    name: 'summarize_platform_video',
    arguments: { video_url: 'https://youtu.be/x', timeout_seconds: 1 },
  }
  const response = await handler.fetch(
    new Request('http://127.0.0.1/mcp', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    }),
  )
  expect(await response.text()).toContain('the-job')
  // The pause of 30 seconds that the API requests would be too long.
  expect(questions).toBe(1)
})
