import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { readCaptions } from '@subtext/captions'
import { SUMMARY_MODES, type Summary } from '@subtext/contracts'
import { createExtractiveSummarizer, type Summarizer, type SummarySource } from '@subtext/summarize'
import { newSource, WESTERN_SAMPLES, writtenCues } from '@subtext/summarize/testing'
import { openThreads, type Threads } from './open-threads.ts'
import { createThreadedCaptionReader } from './read-captions-in-thread.ts'
import { createThreadedSummarizer } from './summarize-in-thread.ts'

/** The program of the build, which `npm test` makes first. */
const program = new URL('../../../../dist/worker/thread.js', import.meta.url)
let threads: Threads
beforeAll(() => {
  threads = openThreads({ program })
})
afterAll(() => threads.close())

const never = new AbortController().signal
const MANUAL = { kind: 'manual' } as const
const track = (lines: number): Uint8Array[] => {
  const events = Array.from({ length: lines }, (_, index) => ({
    tStartMs: index * 1_000,
    dDurationMs: 900,
    segs: [{ utf8: `line ${index} – größer &amp; 長い` }],
  }))
  const bytes = Buffer.from(JSON.stringify({ events }))
  // The chunks also split characters.
  return Array.from({ length: Math.ceil(bytes.length / 1_001) }, (_, at) =>
    bytes.subarray(at * 1_001, (at + 1) * 1_001),
  )
}

describe('a threaded caption reader', () => {
  test('reads the same cues as the inline reader', async () => {
    const body = track(2_500)
    const read = await createThreadedCaptionReader(threads, 0)(body, MANUAL, never)
    expect(read.cues).toHaveLength(2_500)
    expect(read).toEqual(await readCaptions(body, MANUAL))
  })

  test('returns no cues for a track that the platform withheld', async () => {
    const onOutput = () => {}
    const work = { options: MANUAL, input: [], onOutput, signal: never }
    expect(await threads.run('captions', work)).toMatchObject({ written: 0, report: { characters_before: 0 } })
  })

  test('rejects a track that is cut off, and its thread keeps working', async () => {
    const read = createThreadedCaptionReader(threads, 0)
    const cut = [...track(100).slice(0, -1)]
    await expect(read(cut, MANUAL, never)).rejects.toMatchObject({ name: 'SyntaxError' })
    expect((await read(track(1), MANUAL, never)).cues).toHaveLength(1)
  })
})

describe('a hostile track', () => {
  const MB = 1_000_000
  const fill = (part: string): string => part.repeat((8 * MB) / part.length)

  test.each([
    ['empty events', `{"events":[${fill('{},')}{}]}`],
    ['nested brackets', fill('[')],
    ['empty lines', `WEBVTT\n\n${fill('\n')}`],
    ['cues of one letter', `<timedtext>${fill('<p t="1">a')}`],
    ['words of one letter', `<timedtext><p t="1">${fill('<s>a')}`],
    ['escaped letters', `<transcript><text start="1">${fill('&amp;')}`],
  ])('of %s does not use up the memory of a thread', async (_, document) => {
    const read = createThreadedCaptionReader(threads)
    const outcome = await read([Buffer.from(document)], MANUAL, never).catch((error: unknown) => error)
    if (outcome instanceof RangeError) expect(outcome.message).toMatch(/too (?:deeply|large)|more than \d+ cues/)
    else expect(outcome).toMatchObject({ cues: expect.any(Array) })
  })
})

describe('a threaded summarizer', () => {
  const source = newSource(writtenCues(WESTERN_SAMPLES[0] ?? { language: 'en', sentences: [] }), { language: 'en' })
  const write = async (summarizer: Summarizer, from: SummarySource) => {
    const summaries: Summary[] = []
    const unwritten = await summarizer.summarize(from, [...SUMMARY_MODES], {
      signal: never,
      onSummary: async (summary) => void summaries.push(summary),
      onSpending: async () => {},
    })
    return { summaries, unwritten }
  }

  test('writes the same summaries as the inline summarizer', async () => {
    const threaded = await write(createThreadedSummarizer(threads, 0), source)
    expect(threaded.summaries.map(({ mode }) => mode)).toEqual([...SUMMARY_MODES])
    expect(threaded).toEqual(await write(createExtractiveSummarizer(), source))
  })

  test('gives the same reason for summaries that cannot be written', async () => {
    const wordless = { ...source, cues: [{ startMs: 0, durationMs: 1, text: '…!' }] }
    const { unwritten } = await write(createThreadedSummarizer(threads, 0), wordless)
    expect(unwritten.map(({ mode }) => mode)).toEqual([...SUMMARY_MODES])
    for (const { reason, error } of unwritten) {
      expect(reason).toBe('wordless')
      expect(error).toMatchObject({ code: 'SUMMARY_UNAVAILABLE', retryable: false })
    }
  })

  test('rejects when a summary cannot be stored', async () => {
    const options = {
      signal: never,
      onSummary: () => Promise.reject(new Error('disk full')),
      onSpending: async () => {},
    }
    const work = createThreadedSummarizer(threads, 0).summarize(source, ['tldr'], options)
    await expect(work).rejects.toThrow('disk full')
  })
})

describe('a thread pool', () => {
  const endless = (): { work: Promise<unknown>; abort: AbortController; begun: Promise<void> } => {
    const abort = new AbortController()
    let begin = (): void => {}
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    const input = (function* () {
      for (;;) {
        begin()
        yield new Uint8Array(1)
      }
    })()
    const work = threads.run('captions', { options: MANUAL, input, onOutput: () => {}, signal: abort.signal })
    return { work, abort, begun }
  }

  test('ends a thread when its work is aborted, and gives the next work its turn', async () => {
    const first = endless()
    // If the thread cannot start, the work is rejected without ever having begun.
    await Promise.race([first.begun, first.work])
    const second = endless()
    const third = createThreadedCaptionReader(threads, 0)(track(3), MANUAL, never)
    second.abort.abort(new Error('tired of waiting'))
    await expect(second.work).rejects.toThrow('tired of waiting')
    first.abort.abort(new Error('cancelled'))
    await expect(first.work).rejects.toThrow('cancelled')
    expect((await third).cues).toHaveLength(3)
  })

  test('rejects only the work of a thread that crashes', async () => {
    const narrow = openThreads({ program, memoryMb: 4 })
    await expect(createThreadedCaptionReader(narrow, 0)(track(10), MANUAL, never)).rejects.toThrow(RangeError)
    await expect(createThreadedCaptionReader(narrow, 0)(track(10), MANUAL, never)).rejects.toThrow(RangeError)
    await narrow.close()
    expect((await createThreadedCaptionReader(threads, 0)(track(10), MANUAL, never)).cues).toHaveLength(10)
  })

  test('ends an idle thread and starts another for later work', async () => {
    const exits: Promise<unknown>[] = []
    const onStart = (message: unknown): void => void exits.push(once((message as { worker: Worker }).worker, 'exit'))
    subscribe('worker_threads', onStart)
    const brief = openThreads({ program, idleMs: 1 })
    for (const turn of [1, 2]) {
      expect((await createThreadedCaptionReader(brief, 0)(track(2), MANUAL, never)).cues).toHaveLength(2)
      expect(exits).toHaveLength(turn)
      await Promise.all(exits)
    }
    unsubscribe('worker_threads', onStart)
    await brief.close()
  })
})
