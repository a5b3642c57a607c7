import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import express, { type ErrorRequestHandler, type Response } from 'express'
import { createHeartbeats, createStreamLimiter, type SentEvent, sendEvents } from './event-stream.ts'
import type { Turns } from './turns.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** Starts a server that responds to every request with these batches. Returns its URL. */
async function serve(batches: () => AsyncIterable<SentEvent[] | null>, heartbeats?: Turns<Response>): Promise<string> {
  const app = express()
  app.use((_request, response) => sendEvents(response, batches(), heartbeats))
  const showError: ErrorRequestHandler = (error: Error, _request, response, _next) => {
    if (response.headersSent) response.destroy()
    else response.status(418).send(error.message)
  }
  app.use(showError)
  const server = app.listen(0, '127.0.0.1')
  closers.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const event = (name: string, data: unknown = {}): SentEvent => ({ name, id: `after ${name}`, data })

test('writes the format of the standard and ends with the batches', async () => {
  const url = await serve(async function* () {
    yield []
    yield [event('one', { text: 'a\r\nb\u2028c' }), event('two')]
    yield [event('three')]
  })
  const response = await fetch(url, { headers: { 'Accept-Encoding': 'gzip' } })
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  })
  expect(response.headers.has('content-encoding')).toBe(false)
  expect(await response.text()).toBe(
    [
      'retry: 2000\n\n',
      'event: one\nid: after one\ndata: {"text":"a\\r\\nb\u2028c"}\n\n',
      'event: two\nid: after two\ndata: {}\n\n',
      'event: three\nid: after three\ndata: {}\n\n',
    ].join(''),
  )
})

test('keeps a silent connection open with comments', async () => {
  let end = (): void => {}
  const silence = new Promise<void>((resolve) => {
    end = resolve
  })
  const url = await serve(
    async function* () {
      yield []
      await silence
      yield [event('last')]
    },
    createHeartbeats({ everyMs: 50, count: 2 }),
  )
  let text = ''
  for await (const piece of (await fetch(url)).body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece
    if (text.split(':\n\n').length > 2) end()
  }
  expect(text).toMatch(/event: last\n.*\n.*\n\n$/)
})

test('responds 204 to a reader that has everything, so that it does not reconnect', async () => {
  const url = await serve(async function* () {
    yield null
  })
  expect((await fetch(url)).status).toBe(204)
})

test('an error before the first batch is an ordinary response, and later one cuts the stream', async () => {
  const early = await serve(async function* () {
    yield* []
    throw new Error('none of yours')
  })
  const response = await fetch(early)
  expect([response.status, await response.text()]).toEqual([418, 'none of yours'])

  const late = await serve(async function* () {
    yield [event('one')]
    await sleep(50)
    throw new Error('away')
  })
  await expect((await fetch(late)).text()).rejects.toThrow()
})

test('ends at once in response to HEAD', async () => {
  let ended = false
  const url = await serve(async function* () {
    try {
      yield []
      await sleep(60_000)
    } finally {
      ended = true
    }
  })
  const response = await fetch(url, { method: 'HEAD' })
  expect([response.status, response.headers.get('content-type'), ended]).toEqual([200, 'text/event-stream', true])
})

test('waits for a slow reader', async () => {
  const large = 'x'.repeat(1_000_000)
  let made = 0
  const url = await serve(async function* () {
    for (; made < 40; made++) yield [event('large', large)]
  })
  const response = await fetch(url)
  await sleep(500)
  expect(made).toBeLessThan(40)
  expect((await response.text()).length).toBeGreaterThan(40_000_000)
})

test('limits the streams of each account, and frees those that were released', () => {
  const acquire = createStreamLimiter(2)
  const release = acquire('a')
  acquire('a')
  expect(() => acquire('a')).toThrow(expect.objectContaining({ code: 'RATE_LIMITED', retryAfterSeconds: 5 }))
  acquire('b')
  release()
  acquire('a')
  expect(() => acquire('a')).toThrow('at most 2')
})
