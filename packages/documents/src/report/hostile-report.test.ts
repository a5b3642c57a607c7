import { buildCues, buildSampleResult, inParts } from '@subtext/render/testing'
import { createRenderer, renderReport } from '../index.ts'
import { joinLines, readPdf } from '../testing/read-pdf.ts'
import { directionOf, toTypesetLanguage } from './languages.ts'
import { printable, splitAtLongWords } from './printable.ts'

/** Everything that means something to Typst, JSON, PDF or a shell. */
const INJECTIONS = [
  '#panic("x")',
  '#read("/etc/passwd")',
  '#import "@preview/a:1.0.0"',
  '#include "x.typ"',
  '#eval("1+1")',
  '#let a = 1',
  '#(sys.version)',
  '#image("a.png")',
  '#link("javascript:alert(1)")[x]',
  '#pagebreak()',
  '#set page(width: 1pt)',
  '$x^2 + y_1$',
  '*bold*',
  '_italic_',
  '`code`',
  '```rust fn```',
  '= Heading',
  '- item',
  '+ item',
  '/ Term: x',
  '<label>',
  '@reference',
  '~ --- -- ...',
  '\\u{1F600}',
  '\\n\\t\\\\',
  '// comment',
  '/* comment */',
  '[content] {code}',
  '"quoted" \'single\'',
  '","blocks":[]}',
  '\\"}],"x":1',
  '{"kind":"heading"}',
  ') Tj ET',
  '/Span <</ActualText',
  'endstream endobj',
  '%%EOF',
  '<script>alert(1)</script>',
  '&lt;b&gt; &amp;',
  '%{process.env}',
  '$(id) `id`',
  'https://example.org/?a=#b',
]

test('prints texts literally, whatever they mean elsewhere', async () => {
  expect(INJECTIONS.length).toBeGreaterThanOrEqual(40)
  const renderer = createRenderer()
  const base = buildSampleResult()
  const points = INJECTIONS.map((text) => ({ text, segmentIds: [1] }))
  const { bytes, conforms } = await renderReport(renderer, {
    paper: 'a4',
    transcript: true,
    result: {
      ...base,
      videoInfo: {
        ...base.videoInfo,
        title: INJECTIONS.slice(0, 3).join(' '),
        channel: { ...base.videoInfo.channel, name: INJECTIONS[11] ?? '' },
        chapters: INJECTIONS.map((title, index) => ({ title, start: index * 3 })),
      },
      track: { ...base.track, language: '#set text(1pt)', name: '#panic()' },
      outputLanguage: '"],#panic()',
      summaries: [
        {
          mode: 'detailed',
          model: '#panic("model")',
          content: { overview: [], sections: [{ heading: '#strong[h]', points }] },
        },
      ],
      citedStarts: new Map([[1, 0]]),
      cues: inParts(buildCues(INJECTIONS.map((text) => `>> ${text}`))),
    },
  }).finally(() => renderer.close())
  expect(conforms).toBe(true)
  const { text, outline, info } = await readPdf(bytes)
  const compact = (value: string): string => joinLines(value).replace(/\s+/g, '')
  const printed = compact(text)
  for (const injection of INJECTIONS) {
    // As a point of the summary, in the contents, as a chapter and in the transcript.
    expect([injection, printed.split(compact(injection)).length > 4]).toEqual([injection, true])
  }
  expect(printed).toContain(compact('Written by #panic("model").'))
  expect(info.Title).toBe(INJECTIONS.slice(0, 3).join(' '))
  expect(outline.length).toBe(2)
})

test('prints a replacement for letters from right to left that no font has, instead of failing', async () => {
  const letters = [
    0x7bf, 0x7ca, 0x7d5, 0x7e0, 0x80c, 0x817, 0x822, 0x82d, 0x843, 0x84e, 0x859, 0x89a, 0x89b, 0x8a2, 0x8a6, 0x10900,
  ]
  const renderer = createRenderer()
  const { bytes } = await renderReport(renderer, {
    paper: 'a4',
    transcript: true,
    result: {
      ...buildSampleResult(),
      summaries: [],
      citedStarts: new Map(),
      cues: inParts(buildCues([String.fromCodePoint(...letters.flatMap((letter) => [letter, 0x20]))])),
    },
  }).finally(() => renderer.close())
  expect((await readPdf(bytes)).text).toContain('\ufffd')
})

test('removes what cannot be printed, and nothing else', () => {
  expect(printable(['a\u202eb\u2066c\ufeff\u0000d', '\ud800', '\u{e0041}e\ue000\u{1fffe}f\n g'].join(''))).toBe(
    'abc d\ufffde\ufffdf g',
  )
  expect(printable('नमस्ते 👩‍👩‍👧 مرحبا ① ﬁ \u00ad')).toBe('नमस्ते 👩‍👩‍👧 مرحبا ① ﬁ \u00ad')
})

test.each([
  ['x'.repeat(28), [1]],
  ['x'.repeat(27), []],
  [`${'Ü'.repeat(27)} ${'я'.repeat(27)}`, []],
  [`a ${'я/'.repeat(50)} b`, [1]],
  [`${'x-'.repeat(50)} b`, []],
  ['1-'.repeat(50), [1]],
  ['-'.repeat(100), [1]],
  ['♪'.repeat(14), [1]],
  ['ஔ'.repeat(14), [1]],
  ['ஔ'.repeat(13), []],
  ['东'.repeat(100), []],
  ['ไ'.repeat(100), []],
])('finds the words of %j that may be wider than a line', (text, long) => {
  const parts = splitAtLongWords(text)
  expect(parts.join('')).toBe(text)
  expect(parts.flatMap((part, index) => (index % 2 === 1 && part.length > 1 ? 1 : []))).toEqual(long)
})

test('takes the direction of a text from its first letter', () => {
  expect(['123 abc', '(مرحبا)', 'שלום a', '한국', '123', ''].map(directionOf)).toEqual([
    'ltr',
    'rtl',
    'rtl',
    'ltr',
    null,
    null,
  ])
})

test('knows languages by any tag', () => {
  expect(toTypesetLanguage('pt-br')).toEqual({ tag: 'pt-BR', lang: 'pt', region: 'BR', dir: 'ltr' })
  expect(toTypesetLanguage('zh-Hant')).toEqual({ tag: 'zh-Hant', lang: 'zh', region: 'TW', dir: 'ltr' })
  expect(toTypesetLanguage('es-419')).toEqual({ tag: 'es-419', lang: 'es', region: null, dir: 'ltr' })
  expect(toTypesetLanguage('ur')).toMatchObject({ lang: 'ur', dir: 'rtl' })
  for (const tag of ['', 'x', '"', 'abcdefgh', 'constructor', 'i-klingon']) {
    expect(toTypesetLanguage(tag)).toMatchObject({ lang: expect.stringMatching(/^[a-z]{2,3}$/), dir: 'ltr' })
  }
})
