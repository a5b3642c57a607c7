import { fuzzRuns } from '@subtext/runtime/testing'
import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import { renderMarkdownDocument, renderTextDocument } from './documents.ts'
import type { RenderableResult } from './renderable-result.ts'
import { buildCues, buildSampleResult, collect, inParts } from './testing/sample-result.ts'

const markdownOf = async (changes: Partial<RenderableResult> = {}): Promise<string> =>
  (await collect(renderMarkdownDocument(buildSampleResult(changes)))).join('')

const WATCH = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'

test('writes the result as a Markdown document', async () => {
  expect(await markdownOf({ truncated: true })).toBe(`# Ice & rivers: what melts first?

- Channel: Tom & Jerry
- URL: <${WATCH}>
- Duration: 1:02:05
- Published: 2024-05-06
- Language: en (written captions)

## Contents

- [Summary](#summary)
  - [TL;DR](#tldr)
  - [Timeline](#timeline)
- [Chapters](#chapters)
- [Transcript](#transcript)

## Summary

*Written by model-a.*

### TL;DR

Glaciers store water. [1:05](${WATCH}&t=65s) They shrink. [0:00](${WATCH}&t=0s) Rivers start there [1:02:03](${WATCH}&t=3723s) Nobody said this Stakes show the melt [0:00](${WATCH}&t=0s)

### Timeline

Glaciers store water. [1:05](${WATCH}&t=65s) They shrink. [0:00](${WATCH}&t=0s)

- [0:00](${WATCH}&t=0s) Stakes show the melt
- [1:02:03](${WATCH}&t=3723s) Rivers start there
- Nobody said this

## Chapters

- [0:00](${WATCH}&t=0s) Start

## Transcript

Note: the transcript was cut at the maximum length and ends before the video does.

Ice is old. It melts. Then it flows.
`)
})

test('writes the result as a plain text document', async () => {
  const result = buildSampleResult({ cues: inParts(buildCues(['*Ice* \u001b[31m& [snow]', '<b>'])) })
  expect((await collect(renderTextDocument(result))).join('')).toBe(`Ice & rivers: what melts first?
===============================

- Channel: Tom & Jerry
- URL: ${WATCH}
- Duration: 1:02:05
- Published: 2024-05-06
- Language: en (written captions)

Summary
-------

Written by model-a.

TL;DR

Glaciers store water. They shrink. Rivers start there Nobody said this Stakes show the melt

Timeline

Glaciers store water. They shrink.

- 0:00 Stakes show the melt
- 1:02:03 Rivers start there
- Nobody said this

Chapters
--------

- 0:00 Start

Transcript
----------

*Ice* [31m& [snow] <b>
`)
})

test('omits what is unknown', async () => {
  const { videoInfo } = buildSampleResult()
  const bare = {
    ...videoInfo,
    title: ' ',
    published_at: null,
    duration_seconds: 0,
    channel: { id: '', name: '', url: '' },
    chapters: [{ title: ' ', start: 0 }],
  }
  expect(await markdownOf({ videoInfo: bare, summaries: [] })).toBe(`# dQw4w9WgXcQ

- URL: <${WATCH}>
- Language: en (written captions)

## Transcript

Ice is old. It melts. Then it flows.
`)
})

test('keeps every character of Hindi text', async () => {
  const markdown = await markdownOf({ cues: inParts(buildCues(['क्‍या यह ठीक है?', 'हाँ, बिल्कुल।'])) })
  expect(markdown).toContain('\n\nक्‍या यह ठीक है? हाँ, बिल्कुल।\n')
})

const trackIn = (language: string) => ({ ...buildSampleResult().track, language })

test.each([
  ['es', '## Contenido', '### Cronología', '- Canal: Tom & Jerry', '- Idioma: es (subtítulos escritos)'],
  ['fr', '## Sommaire', '### Chronologie', '- Chaîne : Tom & Jerry', '- Langue : fr (sous-titres rédigés)'],
  ['de', '## Inhalt', '### Zeitlicher Ablauf', '- Kanal: Tom & Jerry', '- Sprache: de (geschriebene Untertitel)'],
  ['pt-BR', '## Conteúdo', '### Linha do tempo', '- Canal: Tom & Jerry', '- Idioma: pt-BR (legendas escritas)'],
  ['ja', '## 目次', '### 時系列', '- チャンネル：Tom & Jerry', '- 言語：ja（人が書いた字幕）'],
  ['ko', '## 목차', '### 시간순 정리', '- 채널: Tom & Jerry', '- 언어: ko(사람이 쓴 자막)'],
  ['zh-Hans', '## 目录', '### 时间线', '- 频道：Tom & Jerry', '- 语言：zh-Hans（人工字幕）'],
  ['zh-TW', '## 目錄', '### 時間軸', '- 頻道：Tom & Jerry', '- 語言：zh-TW（人工字幕）'],
  ['hi', '## विषय-सूची', '### समयरेखा', '- चैनल: Tom & Jerry', '- भाषा: hi (लिखित उपशीर्षक)'],
  ['sv', '## Contents', '### Timeline', '- Channel: Tom & Jerry', '- Language: sv (written captions)'],
])('labels a document in %s in its language, or in English', async (language, ...lines) => {
  const markdown = await markdownOf({ track: trackIn(language) })
  for (const line of lines) expect(markdown).toContain(`\n${line}\n`)
})

test('labels the document in the language that was requested for its summaries, if a model wrote them', async () => {
  const { summaries } = buildSampleResult()
  const outputLanguage = 'de'
  expect(await markdownOf({ outputLanguage })).toContain('## Zusammenfassung\n\n*Verfasst von model-a.*')
  const extractive = summaries.map((summary) => ({ ...summary, model: 'extractive' }))
  expect(await markdownOf({ outputLanguage, summaries: extractive })).toContain('## Summary\n\n*Sentences of')
})

test('says who wrote the summaries, and for each of them if there are several authors', async () => {
  const [timeline, tldr] = buildSampleResult().summaries
  if (!timeline || !tldr) throw new Error('The sample has two summaries.')
  const extractive = { ...timeline, model: 'extractive' }
  const sentences = '*Sentences of the transcript, selected without a language model.*'
  expect(await markdownOf({ summaries: [extractive] })).toContain(`## Summary\n\n${sentences}\n\n### Timeline\n\n`)
  const mixed = await markdownOf({ summaries: [extractive, { ...tldr, model: 'model_*b*' }] })
  expect(mixed).toContain('## Summary\n\n### TL;DR\n\n*Written by model\\_\\*b\\*.*\n\n')
  expect(mixed).toContain(`### Timeline\n\n${sentences}\n\n`)
})

test('links the list of contents to our own headings, even if texts from outside have the same words', async () => {
  const { videoInfo, summaries } = buildSampleResult()
  const sections = [{ heading: 'Transcript', points: [{ text: 'A point.', segmentIds: [] }] }]
  const [, tldr] = summaries
  if (!tldr) throw new Error('The sample has two summaries.')
  const detailed = { ...tldr, mode: 'detailed' as const, content: { overview: [], sections } }
  const markdown = await markdownOf({ videoInfo: { ...videoInfo, title: 'Summary' }, summaries: [detailed] })
  expect([...markdown.matchAll(/\]\((#.*?)\)/g)].map(([, target]) => target)).toEqual([
    '#summary-1',
    '#detailed-summary',
    '#chapters',
    '#transcript-1',
  ])
})

describe('the Markdown document of hostile texts', () => {
  const parser = new MarkdownIt('default', { html: true, linkify: true })
  parser.linkify.set({ fuzzyLink: false })

  const structureOf = (markdown: string) => {
    const tokens = parser.parse(markdown, {})
    const inline = tokens.flatMap((token) => token.children ?? [])
    return {
      blocks: tokens.map((token) => token.type),
      marks: inline.map((token) => token.type).filter((type) => type !== 'text' && type !== 'text_special'),
      links: inline.filter((token) => token.type === 'link_open').map((token) => token.attrGet('href')),
    }
  }

  const hostile = fc
    .array(
      fc.constantFrom(
        '# ',
        '\n',
        '\n\n',
        '- ',
        '1. ',
        '> ',
        '---',
        '===',
        '```',
        '~~~',
        '| a |',
        '|-|',
        '    ',
        '\t',
        '[x](',
        ')',
        '![x](',
        '[x]: y',
        '[x]',
        'http://e.example',
        '<http://e.example>',
        'www.e.example',
        'a@e.example',
        '<b>',
        '</b>',
        '<!--',
        '-->',
        '<script>',
        '&lt;',
        '&#35;',
        '*',
        '**',
        '_',
        '~~',
        '`',
        '\\',
        'word',
        ' ',
        '😀',
        '漢',
        '"',
        '.',
      ),
      { maxLength: 16 },
    )
    .map((parts) => `x${parts.join('')}`)
    // The letter keeps the text from being empty. Marks must also come first, so the second variant ends with it.
    .chain((text) => fc.constantFrom(text, `${text.slice(1)} x`))

  test('has only the structure and links of the template', async () => {
    const build = (text: string): Partial<RenderableResult> => {
      const { videoInfo } = buildSampleResult()
      const point = { text, segmentIds: [1] }
      const content = { overview: [point, point], sections: [{ heading: text, points: [point, point] }] }
      return {
        videoInfo: {
          ...videoInfo,
          title: text,
          channel: { ...videoInfo.channel, name: text },
          chapters: [{ title: text, start: 61 }],
        },
        cues: inParts([...buildCues([text, text]), { startMs: 60_000, durationMs: 1, text }]),
        summaries: (['tldr', 'detailed', 'timestamped', 'key_insights'] as const).map((mode) => ({
          mode,
          content,
          model: mode === 'tldr' ? text : 'model-a',
        })),
      }
    }
    const expected = structureOf(await markdownOf(build('plain')))
    const own = ['#summary', '#tldr', '#detailed-summary', '#timeline', '#key-insights', '#chapters', '#transcript']
    expect([...new Set(expected.links)]).toEqual([WATCH, ...own, `${WATCH}&t=0s`, `${WATCH}&t=61s`])
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        expect(structureOf(await markdownOf(build(text)))).toEqual(expected)
      }),
      { numRuns: fuzzRuns(), seed: 11 },
    )
  })
})
