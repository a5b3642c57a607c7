import { jest } from '@jest/globals'
import { data, useTestService } from '../testing/serve.ts'
import { sleep } from './sleep.ts'

const serve = useTestService()
const DOCUMENT = { 'Content-Type': 'text/markdown' }

test('a document whose body falls silent fails after timeoutMs', async () => {
  const service = await serve((response) => void response.writeHead(200, DOCUMENT).write('# Title'))
  const response = await service.client({ timeoutMs: 300 }).videos.document('job-1', 'markdown')
  const started = performance.now()
  await expect(response.text()).rejects.toMatchObject({ name: 'TimeoutError', code: 'TIMEOUT', retryable: true })
  expect(performance.now() - started).toBeLessThan(20_000)
})

test('a body may take longer than timeoutMs as long as it sends something, or nobody reads it', async () => {
  const service = await serve(async (response) => {
    response.writeHead(200, DOCUMENT)
    for (let piece = 0; piece < 6; piece++) {
      response.write(`${piece}`)
      await sleep(250)
    }
    response.end()
  })
  const response = await service.client({ timeoutMs: 1_200 }).videos.document('job-1', 'markdown')
  expect(await response.text()).toBe('012345')
  const unread = await service.client({ timeoutMs: 1_200 }).videos.document('job-1', 'markdown')
  await sleep(3_000)
  expect(await unread.text()).toBe('012345')
})

test('a copy of a response keeps its status, headers and URL, and can be cancelled', async () => {
  const service = await serve((response) => void response.writeHead(200, DOCUMENT).write('x'.repeat(100_000)))
  const response = await service.client().videos.document('job-1', 'markdown')
  expect([response.status, response.headers.get('Content-Type'), response.url]).toEqual([
    200,
    'text/markdown',
    expect.stringContaining(`${service.url}/api/v1/videos/result/job-1`),
  ])
  await response.body?.cancel()
})

test('requests ask frameworks that replace fetch to keep nothing, without an option on which runtimes throw', async () => {
  const service = await serve(data({ thumbnails: {} }))
  const send = jest.fn<typeof fetch>((...request) => fetch(...request))
  await service.client({ fetch: send }).usage.current()
  const [, init] = send.mock.calls[0] ?? []
  expect(init).toMatchObject({ next: { revalidate: 0 } })
  expect(init).not.toHaveProperty('cache')
})

test('no timer gets a negative delay, of which newer runtimes warn', async () => {
  const delays = jest.spyOn(globalThis, 'setTimeout')
  try {
    await sleep(-5)
    const service = await serve(data({}))
    await service
      .client({ timeoutMs: -1 })
      .usage.current()
      .catch(() => undefined)
    expect(delays.mock.calls.filter(([, delay = 0]) => delay < 0)).toEqual([])
    expect(delays.mock.calls.length).toBeGreaterThan(1)
  } finally {
    delays.mockRestore()
  }
})
