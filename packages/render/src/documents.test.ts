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

## Summary

### TL;DR

Glaciers store water. They shrink. Rivers start there Nobody said this Stakes show the melt

### Timeline

Glaciers store water. They shrink.

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
      const { videoInfo, summaries } = buildSampleResult()
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
          model: summaries[0]?.model ?? '',
        })),
      }
    }
    const expected = structureOf(await markdownOf(build('plain')))
    expect(expected.links).toEqual([WATCH, `${WATCH}&t=0s`, `${WATCH}&t=0s`, `${WATCH}&t=61s`])
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        expect(structureOf(await markdownOf(build(text)))).toEqual(expected)
      }),
      { numRuns: 1_000, seed: 11 },
    )
  })
})
