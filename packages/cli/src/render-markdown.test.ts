import { stripVTControlCharacters } from 'node:util'
import { renderMarkdown } from './render-markdown.ts'
import { stripControls } from './terminal-text.ts'

const URL = 'https://www.youtube.com/watch?v=sbtx-en-map'
const DOCUMENT = `# Rivers &amp; the sea

- Channel: Field notes
- URL: <${URL}>

## Contents

- [Summary](#summary)
  - [TL;DR](#tldr)
- [Transcript](#transcript)

## Summary

*Written by a model.*

### TL;DR

Rivers follow the slope from the **rain** to the sea, and what they carry builds the coast. [0:03](${URL}&t=3s)

1. One
2. Two
   - Nested, with a text that is long enough to be wrapped

> A quotation\\*
`
const PLAIN = `Rivers & the sea
════════════════

• Channel: Field notes
• URL: ${URL}

Summary
───────

Written by a model.

TL;DR

Rivers follow the slope from the rain to the sea,
and what they carry builds the coast. [0:03]

1. One
2. Two
   • Nested, with a text that is long enough to be
     wrapped

│ A quotation*
`

test('lays out Markdown in the width of the terminal, without the contents', () => {
  expect(renderMarkdown(DOCUMENT, { columns: 50, hasColor: false })).toBe(PLAIN)
})

test('makes headings bold and times links where there is color', () => {
  const text = renderMarkdown(DOCUMENT, { columns: 50, hasColor: true })
  expect(text).toContain('\u001b[1m')
  expect(text).toContain(`\u001b]8;;${URL}&t=3s\u0007\u001b[36m0:03\u001b[39m\u001b]8;;\u0007`)
  expect(stripVTControlCharacters(text)).toContain('\n• Channel: Field notes\n')
})

test('wraps text without spaces, and counts wide characters twice', () => {
  expect(renderMarkdown('海'.repeat(25), { columns: 20, hasColor: false })).toBe(
    `${'海'.repeat(10)}\n${'海'.repeat(10)}\n${'海'.repeat(5)}\n`,
  )
})

test.each([true, false])('makes no escape sequence from the text of others, with color: %s', (hasColor) => {
  const hostile = 'a\u001b]52;c;ZXZpbA==\u0007b\u009b2J\rc &#27;[2J [x](https://e.example/\u001b[2J) [y](javascript:1)'
  const text = renderMarkdown(hostile, { columns: 80, hasColor })
  const plain = stripVTControlCharacters(text)
  expect(stripControls(plain)).toBe(plain)
  expect(text).not.toContain('\u001b]52')
  expect(text).not.toContain('\u001b[2J')
})
