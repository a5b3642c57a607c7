import type { Cue } from '@subtext/contracts'
import { fuzzRuns } from '@subtext/runtime/testing'
import fc from 'fast-check'
import { foldText } from './fold-text.ts'
import type { RenderableResult } from './renderable-result.ts'
import { renderSrt, renderVtt } from './subtitles.ts'
import { hostileText } from './testing/hostile-texts.ts'
import { buildCues, buildSampleResult, collect, inParts } from './testing/sample-result.ts'

type Render = (result: RenderableResult) => AsyncIterable<string>

const write = async (render: Render, cues: Cue[], changes: Partial<RenderableResult> = {}): Promise<string> =>
  (await collect(render(buildSampleResult({ cues: inParts(cues), ...changes })))).join('')

interface ReadCue {
  id: number
  startMs: number
  endMs: number
  text: string
}

const toMs = (time: string): number => {
  const [hours, minutes, seconds, thousandths] = time.split(/[:.,]/).map(Number) as [number, number, number, number]
  if (minutes > 59 || seconds > 59) throw new Error(`No time: ${time}`)
  return ((hours * 60 + minutes) * 60 + seconds) * 1_000 + thousandths
}

/** Returns the blocks between empty lines, each with an ID, a line of times and a payload. */
function readCues(body: string, timing: RegExp): ReadCue[] {
  if (body === '') return []
  if (!body.endsWith('\n\n')) throw new Error('The last cue is not closed.')
  return body
    .slice(0, -2)
    .split('\n\n')
    .map((block) => {
      const [id = '', times = '', ...lines] = block.split('\n')
      const [, start, end] = timing.exec(times) ?? []
      if (!/^\d+$/.test(id) || !start || !end || lines.length !== 1 || !lines[0]) throw new Error(`No cue: ${block}`)
      return { id: Number(id), startMs: toMs(start), endMs: toMs(end), text: lines[0] }
    })
}

/** Parses SubRip like a player, and throws on anything that a player could read as markup. */
function parseSrt(file: string): ReadCue[] {
  const cues = readCues(file, /^(\d{2,}:\d\d:\d\d,\d{3}) --> (\d{2,}:\d\d:\d\d,\d{3})$/)
  for (const { text } of cues) if (/<[a-z/!?]|\{\\|-->/i.test(text)) throw new Error(`Markup: ${text}`)
  return cues.map((cue) => ({ ...cue, text: cue.text.replaceAll('\u2060', '') }))
}

/** Parses the grammar of WebVTT, sections 4.1 to 4.2.2, without markup. Throws on anything else. */
function parseVtt(file: string): ReadCue[] {
  const [, body] = /^WEBVTT(?: Language: [A-Za-z0-9-]+)?\n\n(.*)$/s.exec(file) ?? []
  if (body === undefined) throw new Error('No signature.')
  return readCues(body, /^(\d{2,}:\d\d:\d\d\.\d{3}) --> (\d{2,}:\d\d:\d\d\.\d{3})$/).map((cue) => {
    if (/[<>]|&(?!amp;|lt;|gt;)/.test(cue.text)) throw new Error(`Markup: ${cue.text}`)
    const text = cue.text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
    return { ...cue, text }
  })
}

test('writes the transcript as SubRip', async () => {
  const cues = [
    { startMs: 0, durationMs: 1_234, text: 'One\n\ntwo' },
    { startMs: 3_723_456, durationMs: 2_000, text: '<i>a</i> < b {\\an8} --> & >' },
    { startMs: 360_000_000, durationMs: 1, text: '10' },
  ]
  expect(await write(renderSrt, cues)).toBe(`1
00:00:00,000 --> 00:00:01,234
One two

2
01:02:03,456 --> 01:02:05,456
<\u2060i>a<\u2060/i> < b {\u2060\\an8} --\u2060> & >

3
100:00:00,000 --> 100:00:00,001
10

`)
})

test('writes the transcript as WebVTT', async () => {
  const cues = buildCues(['One\r\ntwo', '<i>a</i> --> &amp;'])
  expect(await write(renderVtt, cues)).toBe(`WEBVTT Language: en

1
00:00:00.000 --> 00:00:03.000
One two

2
00:00:03.000 --> 00:00:06.000
&lt;i&gt;a&lt;/i&gt; --&gt; &amp;amp;

`)
})

test('omits a language that is not valid', async () => {
  const { track } = buildSampleResult()
  const written = await write(renderVtt, [], { track: { ...track, language: 'en\n\n1\n00:00' } })
  expect(written).toBe('WEBVTT\n\n')
})

test.each([
  ['SubRip', renderSrt, parseSrt],
  ['WebVTT', renderVtt, parseVtt],
] as const)('%s ends cues where the next one starts and omits empty ones', async (_, render, parse) => {
  const cue = (startMs: number, durationMs: number, text = 'x'): Cue => ({ startMs, durationMs, text })
  const cues = [
    cue(0, 5_000),
    cue(1_000, 0),
    cue(2_000, 9_000, 'left'),
    cue(2_000, 500, 'right'),
    cue(3_000, 100, ' \n '),
    cue(4_000, 100),
  ]
  const shown = parse(await write(render, cues)).map(({ id, startMs, endMs }) => [id, startMs, endMs])
  expect(shown).toEqual([
    [1, 0, 1_000],
    [2, 1_000, 1_001],
    [3, 2_000, 4_000],
    [4, 2_000, 2_500],
    [6, 4_000, 4_100],
  ])
})

test('streams a track whose cues all start at the same time', async () => {
  const cues = Array.from({ length: 100_000 }, () => ({ startMs: 0, durationMs: 1_000, text: 'x'.repeat(100) }))
  let pieces = 0
  for await (const _ of renderSrt(buildSampleResult({ cues: inParts(cues, 1_000) }))) {
    if (pieces++ > 2) break
  }
  expect(parseSrt(await write(renderSrt, cues))).toHaveLength(cues.length)
})

test.each([
  ['SubRip', renderSrt, parseSrt],
  ['WebVTT', renderVtt, parseVtt],
] as const)('%s with hostile texts reads back unchanged', async (_, render, parse) => {
  const track = fc.array(fc.record({ pause: fc.nat(4_000), durationMs: fc.nat(6_000), text: hostileText }), {
    maxLength: 6,
  })
  await fc.assert(
    fc.asyncProperty(track, async (parts) => {
      let startMs = 0
      const cues = parts.map(({ pause, ...part }) => {
        startMs += pause
        return { ...part, startMs }
      })
      const read = parse(await write(render, cues))
      const spoken = cues.map((cue, index) => ({ ...cue, id: index + 1, text: foldText(cue.text) }))
      const said = spoken.filter(({ text }) => text !== '')
      expect(read.map(({ id, startMs: start, text }) => [id, start, text])).toEqual(
        said.map(({ id, startMs: start, text }) => [id, start, text]),
      )
      for (const [index, { startMs: start, endMs }] of read.entries()) {
        expect(endMs).toBeGreaterThan(start)
        const next = read.slice(index).find((other) => other.startMs > start)
        if (next) expect(endMs).toBeLessThanOrEqual(next.startMs)
      }
    }),
    { numRuns: fuzzRuns(), seed: 8 },
  )
})
