import { renderCode, renderInline, renderMarkdown } from './markdown.ts'

const render = (markdown: string) =>
  renderMarkdown(markdown, (href) => (href.startsWith('gone') ? null : `/to/${href}`))

test('gives headings the anchors of GitHub, and error codes their own name', () => {
  const { html, sections } = render(
    '# The title\n\nIntro `code`.\n\n## Sent twice?\n\nOne\nline.\n\n```sh\nls\n```\n\n## Sent twice?\n\n### `NOT_FOUND`\n\nNo.',
  )
  expect(sections).toEqual([
    { level: 1, heading: 'The title', id: 'the-title', text: 'Intro code.\n' },
    { level: 2, heading: 'Sent twice?', id: 'sent-twice', text: 'One line.\nls\n' },
    { level: 2, heading: 'Sent twice?', id: 'sent-twice-1', text: '' },
    { level: 3, heading: 'NOT_FOUND', id: 'NOT_FOUND', text: 'No.\n' },
  ])
  for (const { level, id } of sections) expect(html).toContain(`<h${level} id="${id}">`)
})

test('resolves links, and leaves the text of those that lead nowhere', () => {
  const { html } = render('[one](a.md#b), [two](gone.md)')
  expect(html).toBe('<p><a href="/to/a.md#b">one</a>, <a>two</a></p>\n')
})

test('shows HTML as text, and omits the comments around generated parts', () => {
  const { html } = render('<!-- codes -->\n| a | b |\n|---|---|\n| <b> | `<i>` |\n<!-- end of codes -->\n')
  expect(html).toContain('<td>&lt;b&gt;</td>')
  expect(html).toContain('<td><code>&lt;i&gt;</code></td>')
  expect(html).not.toContain('codes')
  expect(html).toMatch(/^<div class="table" tabindex="0"><table>/)
})

test('marks the parts of code in known languages, and escapes the others', () => {
  expect(renderCode('{"a":1}', 'json')).toContain('<span class="hljs-attr">&quot;a&quot;</span>')
  expect(renderCode('curl "$API/<x>"', 'sh')).toContain('<span class="hljs-variable">$API</span>/&lt;x&gt;')
  expect(renderCode('<script>', 'unknown')).toContain('<code>&lt;script&gt;</code>')
  expect(renderCode('<script>', 'constructor')).toContain('<code>&lt;script&gt;</code>')
})

test('renders a sentence without a paragraph', () => {
  expect(renderInline('Use `a<b`.')).toBe('Use <code>a&lt;b</code>.')
})
