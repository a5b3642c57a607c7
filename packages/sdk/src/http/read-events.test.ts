import { collect } from '../testing/collect.ts'
import { readEvents } from './read-events.ts'

const streamOf = (chunks: Uint8Array[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })

const TEXT =
  'retry:2000\n\n: comment\n\nevent:progress\nid: a/1\ndata:{"title":"日本"}\n\ndata: one\r\ndata\r\ndata:three\r\n\r\n'
const EVENTS = [
  { event: 'progress', id: 'a/1', data: '{"title":"日本"}' },
  { event: 'message', id: 'a/1', data: 'one\n\nthree' },
]

test.each([1, 2, 3, 7, 1000])('reads events from chunks of %i bytes', async (size) => {
  const bytes = new TextEncoder().encode(TEXT)
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.slice(index * size, (index + 1) * size),
  )
  expect(await collect(readEvents(streamOf(chunks)))).toEqual(EVENTS)
})

test('leaves out an event that the stream breaks off', async () => {
  const bytes = new TextEncoder().encode('data:1\n\nevent:progress\ndata:2\n')
  expect(await collect(readEvents(streamOf([bytes])))).toEqual([{ event: 'message', id: '', data: '1' }])
})

test('cancels the stream when the reader stops early', async () => {
  let cancelled = false
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('data:1\n\n')),
    cancel: () => {
      cancelled = true
    },
  })
  for await (const _ of readEvents(stream)) break
  expect(cancelled).toBe(true)
})
