import { readCaptions } from '@subtext/captions'
import { type Cue, SUMMARY_MODES, type Summary } from '@subtext/contracts'
import { createExtractiveSummarizer, type Summarizer, type SummarySource } from '@subtext/summarize'
import { sourceOf, WESTERN_SAMPLES, writtenCues } from '@subtext/summarize/testing'
import { cutCues } from './cut-cues.ts'
import { createThreadPool, type ThreadPool } from './pool.ts'
import { createCaptionReader } from './read-captions-apart.ts'
import { createApartSummarizer } from './summarize-apart.ts'

let threads: ThreadPool
beforeAll(() => {
  threads = createThreadPool()
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
  // Torn within characters too.
  return Array.from({ length: Math.ceil(bytes.length / 1_001) }, (_, at) =>
    bytes.subarray(at * 1_001, (at + 1) * 1_001),
  )
}

describe('captions', () => {
  test('read in a thread are what they are when they are read here', async () => {
    const body = track(2_500)
    const read = await createCaptionReader(threads, 0)(body, MANUAL, never)
    expect(read.cues).toHaveLength(2_500)
    expect(read).toEqual(await readCaptions(body, MANUAL))
  })

  test('that are withheld are none', async () => {
    const onOutput = () => {}
    const work = { order: MANUAL, input: [], onOutput, signal: never }
    expect(await threads.run('captions', work)).toMatchObject({ written: 0, report: { characters_before: 0 } })
  })

  test('that are cut off are the same error, and the thread goes on', async () => {
    const read = createCaptionReader(threads, 0)
    const cut = [...track(100).slice(0, -1)]
    await expect(read(cut, MANUAL, never)).rejects.toMatchObject({ name: 'SyntaxError' })
    expect((await read(track(1), MANUAL, never)).cues).toHaveLength(1)
  })
})

describe('summaries', () => {
  const source = sourceOf(writtenCues(WESTERN_SAMPLES[0] ?? { language: 'en', sentences: [] }), { language: 'en' })
  const write = async (summarizer: Summarizer, from: SummarySource) => {
    const summaries: Summary[] = []
    const unwritten = await summarizer.summarize(from, [...SUMMARY_MODES], {
      signal: never,
      onSummary: async (summary) => void summaries.push(summary),
      onSpending: async () => {},
    })
    return { summaries, unwritten }
  }

  test('made in a thread are what they are when they are made here', async () => {
    const apart = await write(createApartSummarizer(threads, 0), source)
    expect(apart.summaries.map(({ mode }) => mode)).toEqual([...SUMMARY_MODES])
    expect(apart).toEqual(await write(createExtractiveSummarizer(), source))
  })

  test('that cannot be made are refused for the same reason', async () => {
    const wordless = { ...source, cues: [{ startMs: 0, durationMs: 1, text: '…!' }] }
    const { unwritten } = await write(createApartSummarizer(threads, 0), wordless)
    expect(unwritten.map(({ mode }) => mode)).toEqual([...SUMMARY_MODES])
    for (const { reason, error } of unwritten) {
      expect(reason).toBe('wordless')
      expect(error).toMatchObject({ code: 'SUMMARY_UNAVAILABLE', retryable: false })
    }
  })

  test('that cannot be kept end the work with that error', async () => {
    const options = { signal: never, onSummary: () => Promise.reject(new Error('no room')), onSpending: async () => {} }
    const work = createApartSummarizer(threads, 0).summarize(source, ['tldr'], options)
    await expect(work).rejects.toThrow('no room')
  })
})

describe('threads', () => {
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
    const work = threads.run('captions', { order: MANUAL, input, onOutput: () => {}, signal: abort.signal })
    return { work, abort, begun }
  }

  test('end at once when nobody wants their work any more, and others wait for their turn', async () => {
    const first = endless()
    await first.begun
    const second = endless()
    const third = createCaptionReader(threads, 0)(track(3), MANUAL, never)
    second.abort.abort(new Error('tired of waiting'))
    await expect(second.work).rejects.toThrow('tired of waiting')
    first.abort.abort(new Error('cancelled'))
    await expect(first.work).rejects.toThrow('cancelled')
    expect((await third).cues).toHaveLength(3)
  })

  test('that break down end their own work alone', async () => {
    const narrow = createThreadPool({ memoryMb: 4 })
    await expect(createCaptionReader(narrow, 0)(track(10), MANUAL, never)).rejects.toThrow(RangeError)
    await expect(createCaptionReader(narrow, 0)(track(10), MANUAL, never)).rejects.toThrow(RangeError)
    await narrow.close()
    expect((await createCaptionReader(threads, 0)(track(10), MANUAL, never)).cues).toHaveLength(10)
  })

  test('without work for a while end, and start again', async () => {
    const brief = createThreadPool({ idleMs: 1 })
    for (let turn = 0; turn < 2; turn++) {
      expect((await createCaptionReader(brief, 0)(track(2), MANUAL, never)).cues).toHaveLength(2)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    await brief.close()
  })
})

test('parts of cues are small, and all of them together', () => {
  const cue = (length: number): Cue => ({ startMs: 0, durationMs: 1, text: 'x'.repeat(length) })
  const many = Array.from({ length: 2_500 }, () => cue(3))
  expect([...cutCues(many)].map((part) => part.length)).toEqual([1_000, 1_000, 500])
  expect([...cutCues(Array.from({ length: 7 }, () => cue(200_000)))].map((part) => part.length)).toEqual([3, 3, 1])
  expect([...cutCues(many)].flat()).toEqual(many)
  expect([...cutCues([])]).toEqual([])
})
