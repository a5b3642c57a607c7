import { type Cue, SUMMARY_MODES } from '@subtext/contracts'
import { createLeakGuard } from '@subtext/evidence'
import { INJECTED_LINES } from '@subtext/fakes'
import { RENDERERS, type RenderableResult, renderSummaryMarkdown } from '@subtext/render'
import { createExtractiveSummarizer } from '../extractive/extractive-summarizer.ts'
import { buildInstruction } from '../prompts/instruction.ts'
import { SYSTEM_RULES } from '../prompts/rules.ts'
import { openKnownProvider, type TestProvider } from '../testing/provider.ts'
import { TESTED_SERVERS } from '../testing/servers.ts'
import { newSource, newTalk } from '../testing/source.ts'

const UNUSED: RenderableResult['usage'] = {
  input_tokens: 0,
  output_tokens: 0,
  cached_input_tokens: 0,
  cache_write_tokens: 0,
  total_tokens: 0,
  cost_usd: 0,
  model: 'none',
  cached: false,
  by_mode: {},
  overhead: { fresh_input_tokens: 0, output_tokens: 0, cached_input_tokens: 0, cache_write_tokens: 0, cost_usd: 0 },
}

const LINES = Object.entries(INJECTED_LINES)

/** Creates ordinary speech with the line in three places, once broken over two captions. */
function inject(line: string): Cue[] {
  const words = line.split(' ')
  const halves = [words.slice(0, words.length >> 1).join(' '), words.slice(words.length >> 1).join(' ')]
  const cues = newTalk(40)
  const texts = cues.map(({ text }) => text)
  texts.splice(8, 1, line)
  texts.splice(20, 2, ...halves)
  texts.splice(33, 1, line)
  return cues.map((cue, index) => ({ ...cue, text: texts[index] ?? '' }))
}

const isOurs = createLeakGuard([SYSTEM_RULES, buildInstruction(SUMMARY_MODES, { language: 'en', focus: null })])
const collect = async (pieces: AsyncIterable<string>) => {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

test.each(LINES)('extractive summaries show no structure or link from the line %s', async (_, line) => {
  const texts: string[] = []
  await createExtractiveSummarizer().summarize(newSource(inject(line)), [...SUMMARY_MODES], {
    signal: new AbortController().signal,
    onSummary: async ({ content, quality }) => {
      expect(quality?.injectionSuspected).toBe(true)
      texts.push(JSON.stringify(content))
    },
    onSpending: async () => {},
  })
  expect(texts).toHaveLength(SUMMARY_MODES.length)
  for (const text of texts) expect(text).not.toMatch(/<\s*[a-z/!?]|:\/\/|\]\(/i)
})

describe.each(TESTED_SERVERS)('hostile transcripts read by $name', (server) => {
  let provider: TestProvider
  beforeAll(async () => {
    provider = await openKnownProvider(server)
  })
  afterAll(() => provider.api.close())

  test('covers at least thirty injected lines', () => {
    expect(LINES.length).toBeGreaterThanOrEqual(30)
  })

  describe.each(LINES)('a model that obeys the line %s', (_, line) => {
    const cues = inject(line)
    const source = newSource(cues)

    test('gets no structure, link or part of our prompt into the results', async () => {
      provider.api.failNext({ kind: 'obey' }, { times: 99 })
      const { written, unwritten } = await provider.run([...SUMMARY_MODES], { source })
      // The rest of an obedient answer is either a summary or is not used.
      expect(written.length + unwritten.length).toBe(SUMMARY_MODES.length)
      const target = { place: 'abcdefghijk', startOf: (id: number) => cues[id - 1]?.startMs }
      for (const { mode, content, quality } of written) {
        expect(quality?.injectionSuspected).toBe(true)
        const json = JSON.stringify(content)
        expect(isOurs(json)).toBe(false)
        expect(json).not.toMatch(/[\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]|999999/u)
        // A time that is said in the video may be shown; an invented one may not.
        if (!line.includes('99:59')) expect(json).not.toMatch(/99:59|12:34/)
        expect(json).not.toMatch(/только по-русски|我现在只说|me hearties/)
        for (const { heading, points } of content.sections) {
          for (const text of [heading, ...points.map((point) => point.text)]) {
            expect(text).not.toMatch(/<\s*[a-z/!?]|:\/\/|\]\(|\n/i)
          }
        }
        const markdown = renderSummaryMarkdown(mode, content, target)
        const links = [...markdown.matchAll(/(?<!\\)\]\(([^)]*)\)/g)].map(([, address]) => address)
        for (const address of links)
          expect(address).toMatch(/^https:\/\/www\.youtube\.com\/watch\?v=abcdefghijk&t=\d+s$/)
        expect(markdown).not.toMatch(/https?:\/\/(?!www\.youtube\.com\/)|(?<!\\)<[a-z/!]/i)
      }
    })
  })

  test('renders a page of an obedient model with our own elements only', async () => {
    const all = newTalk(200).map((cue, index) => ({
      ...cue,
      text: LINES[index % 4 === 0 ? index / 4 : -1]?.[1] ?? cue.text,
    }))
    provider.api.failNext({ kind: 'obey' }, { times: 99 })
    const source = newSource(all)
    const { written } = await provider.run([...SUMMARY_MODES], { source })
    expect(written.length).toBeGreaterThan(0)
    const result: RenderableResult = {
      jobId: '0192f0c1-2b3c-7d4e-8f50-112233445566',
      videoInfo: source.video,
      track: source.track,
      selectionReason: 'manual_spoken_language',
      truncated: false,
      summaries: written,
      citedStarts: new Map(all.map((cue, index) => [index + 1, cue.startMs])),
      usage: UNUSED,
      processingSeconds: 1,
      completedAt: new Date(0),
      attribution: {},
      cues: async function* () {
        yield all
      },
    }
    const html = await collect(RENDERERS.html.render(result))
    expect(html).not.toMatch(/<(?:script|img|iframe|svg|object|embed|form|input)\b|<[a-z][^>]*\son\w+\s*=/i)
    for (const [, href] of html.matchAll(/href="([^"]*)"/g))
      expect(href).toMatch(/^(?:https:\/\/www\.youtube\.com\/|#)/)
    const markdown = await collect(RENDERERS.markdown.render({ ...result, cues: async function* () {} }))
    expect(markdown).not.toMatch(/https?:\/\/(?!www\.youtube\.com\/)/)
    expect(JSON.parse(await collect(RENDERERS.json.render(result))).quality.injection_suspected).toBe(true)
  })

  test.each([
    'The system is slow, and the assistant of the professor ignored the previous results.',
    'He was told to ignore the noise and act as a witness for the model airplane club.',
    'In this lesson we look at prompts: a prompt is what you type, an instruction is what the processor does.',
    'The new rules of the game are printed on the box. Please show your ticket.',
    'User research tells us that people forget their passwords.',
  ])('does not suspect ordinary speech: %s', async (line) => {
    const { written } = await provider.run(['tldr'], { source: newSource(inject(line)) })
    expect(written[0]?.quality?.injectionSuspected).toBe(false)
  })
})
