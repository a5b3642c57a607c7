import { APIConnectionError } from '@anthropic-ai/sdk'
import { jest } from '@jest/globals'
import { EVENT_STREAM, type ScriptedStream, scriptStream } from '../testing/script-stream.ts'
import { IdleTimeoutError, OversizedAnswerError, watchStreams } from './watch-streams.ts'

const LIMIT_MS = 1_000

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] })
})
afterEach(() => jest.useRealTimers())

const read = async ({ response }: ScriptedStream): Promise<string> =>
  (await watchStreams(async () => response, LIMIT_MS)('http://x')).text()

test('allows a stream to take long as long as data arrives', async () => {
  const stream = scriptStream()
  const reading = read(stream)
  for (let count = 0; count < 15; count++) {
    await jest.advanceTimersByTimeAsync(LIMIT_MS - 1)
    stream.send('.')
  }
  stream.close()
  expect(await reading).toBe('...............')
})

test.each(['text/event-stream', 'Text/Event-Stream', 'application/octet-stream'])(
  'fails a stream sent as %s when no data arrives within the idle timeout',
  async (type) => {
    const stream = scriptStream({ 'content-type': type })
    const reading = read(stream).catch((error) => error)
    stream.send('..')
    await jest.advanceTimersByTimeAsync(LIMIT_MS)
    expect(await reading).toBeInstanceOf(IdleTimeoutError)
    expect(stream.isCancelled()).toBe(true)
  },
)

test('reports a broken connection with the original error as its cause', async () => {
  const broken = new Error('other side closed')
  const stream = scriptStream()
  stream.fail(broken)
  await expect(read(stream)).rejects.toMatchObject({ constructor: APIConnectionError, cause: broken })
})

test('passes the error of an aborted request on unchanged', async () => {
  const aborted = new DOMException('This operation was aborted', 'AbortError')
  const stream = scriptStream()
  stream.fail(aborted)
  await expect(read(stream)).rejects.toBe(aborted)
})

test.each([EVENT_STREAM, { 'content-type': 'application/json' }])(
  'ends an answer (%j) whose request is aborted, even if its connection does not',
  async (headers) => {
    const stream = scriptStream(headers)
    const request = new AbortController()
    const send = watchStreams(async () => stream.response, LIMIT_MS)
    const response = await send('http://x', { signal: request.signal })
    const reading = response.text()
    stream.send('.')
    request.abort()
    await expect(reading).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
    expect(stream.isCancelled()).toBe(true)
  },
)

test('cancels the original stream when its reader cancels', async () => {
  const stream = scriptStream(EVENT_STREAM)
  stream.send('.')
  const response = await watchStreams(async () => stream.response, LIMIT_MS)('http://x')
  await response.body?.cancel()
  expect(stream.isCancelled()).toBe(true)
})

test.each<Record<string, string>>([
  { 'content-type': 'application/json' },
  { 'content-type': 'Application/JSON; charset=utf-8' },
  { 'content-type': 'text/plain' },
  {},
])('sets no idle timeout for a whole message (%j)', async (headers) => {
  const stream = scriptStream(headers)
  const reading = read(stream)
  await jest.advanceTimersByTimeAsync(10 * LIMIT_MS)
  stream.send('.')
  stream.close()
  expect(await reading).toBe('.')
})

test.each([
  EVENT_STREAM,
  { 'content-type': 'application/json' },
  { 'content-type': 'application/json', status: '500' },
])('stops reading an answer that never ends (%j)', async ({ status, ...headers }: Record<string, string>) => {
  let sent = 0
  const block = new Uint8Array(1_000)
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += block.length
      controller.enqueue(block)
    },
  })
  const response = new Response(body, { headers, status: Number(status ?? 200) })
  const reading = watchStreams(async () => response, LIMIT_MS, 20_000)('http://x').then((each) => each.text())
  await expect(reading).rejects.toBeInstanceOf(OversizedAnswerError)
  expect(sent).toBeLessThan(25_000)
})
