import { anyCharacter, fuzzRuns } from '@subtext/runtime/testing'
import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import { escapeBlock, escapeHeading, escapeInline } from './escape-markdown.ts'
import { foldText } from './fold-text.ts'

const commonMark = new MarkdownIt('commonmark')
// With tables, strikethrough and automatic links. Links for bare domain names are not part of GitHub's dialect.
const extended = new MarkdownIt('default', { html: true, linkify: true })
extended.linkify.set({ fuzzyLink: false })

const PLAIN_TOKENS = new Set(['text', 'text_special'])

/** Returns the types of the blocks, the types of their content other than text, and the text that a reader sees. */
const read = (parser: typeof commonMark, markdown: string) => {
  const tokens = parser.parse(markdown, {})
  const inline = tokens.flatMap((token) => token.children ?? [])
  return {
    blocks: tokens.map((token) => token.type),
    marks: inline.map((token) => token.type).filter((type) => !PLAIN_TOKENS.has(type)),
    text: inline.map((token) => token.content).join(''),
  }
}

const dialects = [
  ['commonmark', commonMark],
  ['extended', extended],
] as const

const paragraphOf = (text: string) => ({
  blocks: ['paragraph_open', 'inline', 'paragraph_close'],
  marks: [],
  text,
})

describe('ordinary prose', () => {
  test.each([
    "don't",
    '5 > 3 and 3 < 5',
    'C++ and C#',
    'a_b, snake_case_name, été_хорошо',
    'Tom & Jerry at AT&T, R & D &c',
    '2 * 3 * 4 = 24',
    'about ~5 minutes, ~10 at most',
    'I <3 this',
    'issue #5 - and 50% (yes) | no',
    'Wait... what?! "Quotes" – and dashes',
    '1.5 million, 3) third',
    '#hashtag first',
    '-5 degrees',
    'either/or, 24/7',
    'नमस्ते, यह हिन्दी है।',
    '「こんにちは」、世界。',
    'mail me @ home or @nick',
  ])('is unchanged: %s', (text) => {
    expect(escapeBlock(text)).toBe(text)
  })
})

describe('text that has a meaning in Markdown', () => {
  test.each([
    ['[click](http://evil.example)', '\\[click\\](http:\\//evil.example)'],
    ['![x](y)', '!\\[x\\](y)'],
    ['<script>', '\\<script>'],
    ['<!-- note', '\\<!-- note'],
    ['<3@evil.example>', '\\<3\\@evil.example>'],
    ['&lt;b&gt; &#60; &#x3c;', '\\&lt;b\\&gt; \\&#60; \\&#x3c;'],
    ['*loud* and _soft_', '\\*loud\\* and \\_soft\\_'],
    ['2*3*4', '2\\*3\\*4'],
    ['`code`', '\\`code\\`'],
    ['C:\\dir', 'C:\\\\dir'],
    ['a ~~gone~~ b', 'a ~~gone\\~\\~ b'],
    ['see www.evil.example', 'see www\\.evil.example'],
    ['a.b@evil.example', 'a.b\\@evil.example'],
    ['MAILTO:a@localhost', 'MAILTO\\:a@localhost'],
    ['# heading', '\\# heading'],
    ['> quote', '\\> quote'],
    ['- item', '\\- item'],
    ['+ item', '\\+ item'],
    ['* item', '\\* item'],
    ['12. item', '12\\. item'],
    ['3) item', '3\\) item'],
    ['---', '\\---'],
    ['_ _ _', '\\_ _ _'],
    ['===', '\\==='],
    ['~~~ sh', '\\~~~ sh'],
    ['| a | b |', '\\| a | b |'],
    ['one\n\n# two', 'one # two'],
    ['a\u2028b\u0000c\u001b[0m', 'a b c \\[0m'],
  ])('is escaped: %j', (text, escaped) => {
    expect(escapeBlock(text)).toBe(escaped)
    for (const [, parser] of dialects) expect(read(parser, escaped)).toEqual(paragraphOf(foldText(text)))
  })

  test.each(['C #', '#', '# a', 'a ##', 'x \\#', 'C#', '1. One', '---', '- a'])(
    'is escaped in a heading: %j',
    (text) => {
      for (const [, parser] of dialects) {
        const heading = read(parser, `# ${escapeHeading(text)}`)
        expect(heading).toEqual({ blocks: ['heading_open', 'inline', 'heading_close'], marks: [], text })
      }
    },
  )
})

const fragments = fc.constantFrom(
  '*',
  '**',
  '_',
  '__',
  '~~',
  '~',
  '`',
  '```',
  '[',
  ']',
  '(',
  ')',
  '](',
  '![',
  '<',
  '>',
  '</',
  '<!--',
  '-->',
  '&',
  ';',
  '&amp;',
  '&#42;',
  '\\',
  '|',
  '|-|',
  '#',
  '##',
  '-',
  '--',
  '---',
  '+',
  '=',
  '1.',
  '2)',
  ':',
  '//',
  'http://',
  'www.',
  '@',
  'a@b.co',
  'javascript:',
  'mailto:',
  'ftp://',
  'HTTPS://',
  'xn--',
  'x.y',
  'a',
  'B',
  '7',
  ' ',
  '  ',
  '\t',
  '\n',
  '\n\n',
  '\u00a0',
  '\u3000',
  '"',
  "'",
  '!',
  'é',
  '漢',
  'क',
  '्',
  '😀',
  '€',
  '。',
  '\u200d',
  '\ufeff',
  '\ud800',
  '\u2028',
  '[^1]',
  '[x]:',
  '- [ ] ',
  '<a>',
  '<?',
  '%',
)
const hostile = fc.oneof(
  fc.array(fragments, { maxLength: 24 }).map((parts) => parts.join('')),
  fc.string({ unit: anyCharacter, maxLength: 60 }),
)

describe.each(dialects)('generated hostile text in %s', (_name, parser) => {
  test('is shown unchanged in a paragraph', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        fc.pre(foldText(text) !== '')
        expect(read(parser, escapeBlock(text))).toEqual(paragraphOf(foldText(text)))
      }),
      { numRuns: fuzzRuns(), seed: 7 },
    )
  })

  test('is shown unchanged in a heading', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        fc.pre(foldText(text) !== '')
        const heading = read(parser, `## ${escapeHeading(text)}\n\nnext`)
        expect(heading.blocks).toEqual([
          'heading_open',
          'inline',
          'heading_close',
          'paragraph_open',
          'inline',
          'paragraph_close',
        ])
        expect(heading).toMatchObject({ marks: [], text: `${foldText(text)}next` })
      }),
      { numRuns: fuzzRuns(), seed: 8 },
    )
  })

  test('is shown unchanged in a list item, after a link of the template', () => {
    fc.assert(
      fc.property(hostile, hostile, (first, second) => {
        fc.pre(foldText(first) !== '' && foldText(second) !== '')
        const list = read(parser, `- ${escapeBlock(first)}\n- [0:01](https://a.example) ${escapeInline(second)}`)
        const item = ['list_item_open', 'paragraph_open', 'inline', 'paragraph_close', 'list_item_close']
        expect(list.blocks).toEqual(['bullet_list_open', ...item, ...item, 'bullet_list_close'])
        expect(list.marks).toEqual(['link_open', 'link_close'])
        expect(list.text).toBe(`${foldText(first)}0:01 ${foldText(second)}`)
      }),
      { numRuns: fuzzRuns(), seed: 9 },
    )
  })
})
