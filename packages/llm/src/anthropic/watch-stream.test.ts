import { setTimeout as sleep } from 'node:timers/promises'
import { APIConnectionError } from '@anthropic-ai/sdk'
import { SilenceError, watchStreams } from './watch-stream.ts'

const EVENTS = { 'content-type': 'text/event-stream; charset=utf-8' }

/** A body of `count` chunks, which then ends, or goes on for ever without a further one. */
function speak(count: number, everyMs: number, ends: boolean) {
  const state = { isGivenUp: false }
  let said = 0
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (said === count) {
        if (ends) return controller.close()
        return new Promise(() => {})
      }
      await sleep(everyMs)
      said++
      controller.enqueue(new TextEncoder().encode('.'))
    },
    cancel() {
      state.isGivenUp = true
    },
  })
  return { body, state }
}

const read = async (body: ReadableStream<Uint8Array>, limitMs: number, headers: Record<string, string> = EVENTS) =>
  (await watchStreams(async () => new Response(body, { status: 200, headers }), limitMs)('http://x')).text()

test('what keeps talking may take long', async () => {
  expect(await read(speak(15, 100, true).body, 1_000)).toBe('...............')
})

test('what falls silent is given up', async () => {
  const { body, state } = speak(2, 1, false)
  await expect(read(body, 100)).rejects.toBeInstanceOf(SilenceError)
  expect(state.isGivenUp).toBe(true)
})

test.each(['Text/Event-Stream', 'application/octet-stream'])(
  'a stream that is sent as %s is no exception',
  async (type) => {
    const { body, state } = speak(2, 1, false)
    const reading = read(body, 100, { 'content-type': type }).catch((error) => error)
    expect(await Promise.race([reading, sleep(5_000, 'unnoticed', { ref: false })])).toBeInstanceOf(SilenceError)
    expect(state.isGivenUp).toBe(true)
  },
)

test('what breaks, breaks with its own error', async () => {
  const broken = new Error('other side closed')
  const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(broken) })
  await expect(read(body, 1_000)).rejects.toMatchObject({ constructor: APIConnectionError, cause: broken })
})

test('who is called off hears of nothing else', async () => {
  const aborted = new DOMException('This operation was aborted', 'AbortError')
  const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(aborted) })
  await expect(read(body, 1_000)).rejects.toBe(aborted)
})

test('who has heard enough ends it', async () => {
  const { body, state } = speak(9, 1, false)
  const response = await watchStreams(async () => new Response(body, { headers: EVENTS }), 1_000)('http://x')
  await response.body?.cancel()
  expect(state.isGivenUp).toBe(true)
})

test.each<Record<string, string>>([
  { 'content-type': 'application/json' },
  { 'content-type': 'Application/JSON; charset=utf-8' },
  { 'content-type': 'text/plain' },
  {},
])('a whole message (%j) may be silent until it is finished', async (headers) => {
  expect(await read(speak(1, 300, true).body, 50, headers)).toBe('.')
})
