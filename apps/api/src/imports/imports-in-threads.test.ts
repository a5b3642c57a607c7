import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { createMetrics } from '@subtext/runtime'
import { createImportMetrics } from './metrics.ts'
import { type ImportThreadOptions, openImportThreads } from './open-threads.ts'
import { createCaptionsReader, createFileDecoder } from './read-captions.ts'
import { decodeInline, readInline } from './tasks.ts'

/** The program of the build, which `npm test` makes first. */
const program = new URL('../../../../dist/api/thread.js', import.meta.url)
const never = new AbortController().signal
const metrics = createMetrics()
const ends: (() => Promise<void>)[] = []
afterAll(() => Promise.all(ends.map((end) => end())))

function open(options: ImportThreadOptions = {}) {
  const threads = openImportThreads({ program, ...options })
  ends.push(() => threads.close())
  return threads
}
const threads = open()

const OPTIONS = { format: undefined, speakers: undefined }
const captionsOf = (cues: number, words = 10): string =>
  Array.from(
    { length: cues },
    (_, nth) => `${nth + 1}\n00:00:01,000 --> 00:00:02,000\nAna: größer & <i>長い</i> ${'word '.repeat(words)}\n\n`,
  ).join('')
/** Takes as long as the test needs. */
const LONG = captionsOf(20_000)

test('a thread reads the same as the calling thread', async () => {
  const captions = captionsOf(3_000)
  expect(await threads.read(captions, OPTIONS, { account: 'a', signal: never })).toEqual(readInline(captions, OPTIONS))
})

test('the event loop goes on while a thread reads an import of 10 MB', async () => {
  const captions = captionsOf(9_600, 200).padEnd(10_000_000, ' ')
  const began = performance.now()
  readInline(captions, OPTIONS)
  const inlineMs = performance.now() - began

  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const reading = threads.read(captions, OPTIONS, { account: 'a', signal: never })
  let answered = 0
  const others = setInterval(() => answered++, 5)
  const { cues } = await reading
  clearInterval(others)
  delay.disable()
  expect(cues).toHaveLength(9_600)
  expect(answered).toBeGreaterThan(10)
  expect(delay.max / 1e6).toBeLessThan(inlineMs / 2)
})

test('the event loop goes on while a thread decodes a file of 10 MB', async () => {
  const file = Buffer.alloc(10_000_000, '1\n00:00:01,000 --> 00:00:02,000\ngr\xf6\xdfer\n\n', 'latin1')
  const began = performance.now()
  const { text } = decodeInline(file)
  const inlineMs = performance.now() - began

  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const decoded = await threads.decode(file, { account: 'a', signal: never })
  delay.disable()
  expect(decoded.text === text).toBe(true)
  expect(delay.max / 1e6).toBeLessThan(inlineMs / 2)
})

test('says why a file cannot be decoded, also from a thread', async () => {
  const decode = createFileDecoder(threads, createImportMetrics(createMetrics()))
  const file = Buffer.concat([Buffer.alloc(200_000, 'größer '), Buffer.from([0xff, 0xc3])])
  await expect(decode(file, { account: 'a', signal: never })).rejects.toMatchObject({
    code: 'CAPTIONS_UNREADABLE',
    details: { reason: 'encoding', line: 1 },
  })
})

test('says why captions cannot be read, also from a thread, and counts it', async () => {
  const read = createCaptionsReader(threads, createImportMetrics(metrics), 0)
  const caller = { account: 'a', signal: never }
  await expect(read({ title: 'x', captions: 'a\uFFFDb' }, caller)).rejects.toMatchObject({
    code: 'CAPTIONS_UNREADABLE',
    details: { reason: 'encoding', line: 1 },
  })
  expect(await metrics.render()).toContain('subtext_imports_refused_total{reason="encoding"} 1')
})

test('an account whose captions are being read leaves a thread to others', async () => {
  const order: string[] = []
  const read = (account: string, captions: string, name: string) =>
    threads.read(captions, OPTIONS, { account, signal: never }).then(() => order.push(name))
  await Promise.all([
    read('greedy', LONG, 'first'),
    read('greedy', LONG, 'second'),
    read('modest', captionsOf(10), 'other'),
  ])
  expect(order.indexOf('other')).toBeLessThan(order.indexOf('second'))
})

test('refuses captions if too many wait', async () => {
  const narrow = open({ maxThreads: 1, maxWaiting: 0 })
  const caller = { account: 'a', signal: never }
  const first = narrow.read(captionsOf(10), OPTIONS, caller)
  await expect(narrow.read(captionsOf(10), OPTIONS, caller)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    retryAfterSeconds: 5,
  })
  expect((await first).cues).toHaveLength(10)
})

test('ends reading when the caller disconnects, and gives the thread to the next one', async () => {
  const narrow = open({ maxThreads: 1 })
  const caller = new AbortController()
  const abandoned = narrow.read(LONG, OPTIONS, { account: 'a', signal: caller.signal })
  const next = narrow.read(captionsOf(10), OPTIONS, { account: 'b', signal: never })
  caller.abort()
  await expect(abandoned).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect((await next).cues).toHaveLength(10)
})

test('ends reading that takes too long', async () => {
  const hasty = open({ timeoutMs: 1 })
  await expect(hasty.read(LONG, OPTIONS, { account: 'a', signal: never })).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  })
})

test('refuses captions that need more memory than a thread has', async () => {
  const narrow = open({ memoryMb: 8 })
  const reading = await narrow.read(LONG, OPTIONS, { account: 'a', signal: never })
  expect(reading).toMatchObject({ cues: [], refusal: { reason: 'too_long' } })
})
