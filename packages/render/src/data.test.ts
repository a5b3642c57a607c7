import { DefaultResult, StructuredResult } from '@subtext/contracts'
import { renderDefaultData, renderStructuredData } from './data.ts'
import { RENDERERS } from './renderers.ts'
import { buildCues, buildSampleResult, collect, inParts } from './testing/sample-result.ts'

const KEYS = [
  'job_id',
  'status',
  'format',
  'video_info',
  'transcript',
  'summaries',
  'usage',
  'quality',
  'processing_time',
  'completed_at',
  'service_name',
  'client_reference',
]

const parse = async (pieces: AsyncIterable<string>) => JSON.parse((await collect(pieces)).join(''))

test('writes the default format with exactly the fields of the contract', async () => {
  const data = await parse(renderDefaultData(buildSampleResult()))
  expect(DefaultResult.parse(data)).toEqual(data)
  expect(Object.keys(data)).toEqual(KEYS)
  expect(Object.keys(data.summaries)).toEqual(['tldr', 'timestamped'])
  expect(data).toMatchObject({
    job_id: '0192f0c1-2b3c-7d4e-8f50-112233445566',
    format: 'markdown',
    transcript: {
      language: 'en',
      kind: 'manual',
      name: 'English',
      selection_reason: 'manual_spoken_language',
      truncated: false,
      text: 'Ice is old. It melts. Then it flows.',
    },
    processing_time: 4.5,
    completed_at: '2026-01-02T03:04:05.678Z',
    service_name: 'notes',
  })
  expect(data.summaries.timestamped).toContain('[1:02:03](https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=3723s)')
})

test('includes the cleaning report, and comments as Markdown or unchanged', async () => {
  const cleaning = { removed_duplicates: 3, removed_non_speech: 2, characters_before: 90, characters_after: 36 }
  const comment = { author: 'Ana', text: '![x](http://evil.example/)', like_count: '1K', published: '1 day ago' }
  const result = buildSampleResult({ cleaning, comments: [{ ...comment, is_pinned: true, is_by_channel: false }] })
  const markdown = DefaultResult.parse(await parse(renderDefaultData(result)))
  const structured = StructuredResult.parse(await parse(renderStructuredData(result)))
  expect([markdown.transcript.cleaning, structured.transcript.cleaning]).toEqual([cleaning, cleaning])
  expect(markdown.comments?.[0]?.text).toContain('!\\[x\\](http')
  expect(structured.comments).toEqual([{ ...comment, is_pinned: true, is_by_channel: false }])
})

test('writes the structured format with exactly the fields of the contract', async () => {
  const cues = [
    { startMs: 0, durationMs: 1_234, text: 'a [b]' },
    { startMs: 3_723_456, durationMs: 10, text: 'c' },
  ]
  const data = await parse(renderStructuredData(buildSampleResult({ cues: inParts(cues, 1), truncated: true })))
  expect(StructuredResult.parse(data)).toEqual(data)
  expect(Object.keys(data)).toEqual(KEYS)
  expect(data.transcript).toMatchObject({
    truncated: true,
    segments: [
      { id: 1, start: 0, duration: 1.234, text: 'a [b]' },
      { id: 2, start: 3723.456, duration: 0.01, text: 'c' },
    ],
  })
  expect(data.summaries.tldr.model).toBe('model-a')
  expect(data.summaries.tldr.citations.map((citation: { segment_id: number }) => citation.segment_id)).toEqual([
    1, 2, 3,
  ])
  expect(data.summaries.timestamped.text).toContain('- 1:02:03 Rivers start there')
})

test('writes valid JSON for a result without text', async () => {
  const empty = buildSampleResult({ cues: inParts([]), summaries: [], attribution: {} })
  expect(DefaultResult.parse(await parse(renderDefaultData(empty)))).toMatchObject({
    transcript: { text: '' },
    summaries: {},
  })
  expect((await parse(renderStructuredData(empty))).transcript.segments).toEqual([])
})

test('escapes texts that would break JSON or scripts', async () => {
  const text = 'q" b\\ \u2028\u2029 \ud83d end \u0001 </script> "😀'
  const { track } = buildSampleResult()
  const result = buildSampleResult({ cues: inParts(buildCues([text])), track: { ...track, name: text } })
  const json = (await collect(renderStructuredData(result))).join('')
  expect(json).not.toMatch(/[\u2028\u2029\p{Cc}]/u)
  expect(json.isWellFormed()).toBe(true)
  const data = JSON.parse(json)
  expect(data.transcript.segments[0].text).toBe(text.toWellFormed())
  expect(data.transcript.name).toBe(text)
  expect((await parse(renderDefaultData(result))).transcript.text).toBe('q" b\\\\ \ufffd end \\</script> "😀')
})

describe.each(Object.entries(RENDERERS))('the renderer of %s', (_name, { render }) => {
  const line = (index: number): string =>
    ['An end.', '漢字と 😀 かな。', 'यह हिन्दी है', 'a *b* [c] "d"'][index % 4] ?? ''

  test('writes the same text however the cues are divided into parts', async () => {
    const cues = buildCues(Array.from({ length: 3_000 }, (_, index) => `${line(index)} ${index}`))
    const whole = (await collect(render(buildSampleResult({ cues: inParts(cues) })))).join('')
    for (const size of [1, 7, 500, 1_000]) {
      expect((await collect(render(buildSampleResult({ cues: inParts(cues, size) })))).join('')).toBe(whole)
    }
  })

  test('writes a small result in one piece', async () => {
    expect(await collect(render(buildSampleResult()))).toHaveLength(1)
  })

  test('keeps memory and pieces small for 10 MB of captions', async () => {
    const text = 'spoken words, यह हिन्दी है *and* 漢字 '.repeat(6)
    async function* cues() {
      for (let part = 0; part < 32; part++) {
        yield Array.from({ length: 1_000 }, (_, index) => {
          const startMs = (part * 1_000 + index) * 3_000
          return { startMs, durationMs: 2_900, text: `${text}${startMs}` }
        })
      }
    }
    const rssBefore = process.memoryUsage.rss()
    let [bytes, largest, pieces, peak] = [0, 0, 0, 0]
    for await (const piece of render(buildSampleResult({ cues }))) {
      const size = Buffer.byteLength(piece)
      bytes += size
      largest = Math.max(largest, size)
      // Asking takes longer than writing most pieces.
      if (pieces++ % 16 === 0) peak = Math.max(peak, process.memoryUsage.rss())
    }
    expect(bytes).toBeGreaterThan(10_000_000)
    expect(largest).toBeLessThanOrEqual(128 * 1024)
    expect(bytes / pieces).toBeGreaterThan(16 * 1024)
    expect(peak - rssBefore).toBeLessThan(100 * 1024 * 1024)
  })
})
