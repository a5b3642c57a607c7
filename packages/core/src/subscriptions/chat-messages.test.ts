import { writeChatMessage, writeHoldMessage } from './chat-messages.ts'
import type { EndedItem } from './ended-item.ts'

const item = (changes: Partial<EndedItem> = {}): EndedItem => ({
  videoId: 'dQw4w9WgXcQ',
  videoUrl: null,
  title: 'A title',
  state: 'processed',
  reason: null,
  ...changes,
})
const slack = (changes?: Partial<EndedItem>): { text: string } => JSON.parse(writeChatMessage('slack', item(changes)))
const discord = (changes?: Partial<EndedItem>): { content: string; allowed_mentions: object } =>
  JSON.parse(writeChatMessage('discord', item(changes)))
const URL = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'

test('Slack gets a link, the summary and the moments', () => {
  const matches = [{ start: 1, url: `${URL}&t=1s`, text: 'A  bridge.\n' }]
  expect(slack({ summary: 'What it says.', matches })).toEqual({
    text: `*Mentioned*: <${URL}|A title>\nWhat it says.\n• <${URL}&amp;t=1s|A bridge.>`,
  })
  expect(slack({ state: 'skipped', reason: 'title_excludes' }).text).toBe(
    `*Skipped*: <${URL}|A title> (title excludes)`,
  )
})

test('Discord gets the same, and nobody is mentioned', () => {
  expect(discord({ summary: 'What it says.' })).toEqual({
    content: `**New video**: [A title](<${URL}>)\nWhat it says.`,
    allowed_mentions: { parse: [] },
  })
})

test.each([
  ['<!channel> & <https://evil.example|click>', '&lt;!channel&gt; &amp; &lt;https://evil.example¦click&gt;'],
  ['a|b', 'a¦b'],
  ['two\nlines\u2028more', 'two lines more'],
  ['', 'dQw4w9WgXcQ'],
])('Slack shows the title %j as text', (title, shown) => {
  expect(slack({ title }).text).toBe(`*New video*: <${URL}|${shown}>`)
})

test.each([
  ['[click](https://evil.example)', '\\[click\\]\\(https://evil.example\\)'],
  ['@everyone <@1> **bold** `x`', '\\@everyone \\<\\@1\\> \\*\\*bold\\*\\* \\`x\\`'],
  ['# heading', '\\# heading'],
])('Discord shows the title %j as text', (title, shown) => {
  expect(discord({ title }).content).toBe(`**New video**: [${shown}](<${URL}>)`)
})

test.each([
  ['slack', 4_000],
  ['discord', 2_000],
] as const)('a message for %s keeps within %i characters, and no link is cut', (format, max) => {
  const long = '*|<𝄞'.repeat(5_000)
  const matches = Array.from({ length: 30 }, (_, start) => ({ start, url: `${URL}&t=${start}s`, text: long }))
  const body = JSON.parse(writeChatMessage(format, item({ title: long, summary: long, matches })))
  const text: string = body.text ?? body.content
  expect(text.length).toBeLessThanOrEqual(max)
  expect(text.isWellFormed()).toBe(true)
  for (const line of text.split('\n').filter((one) => one.includes(URL))) expect(line).toMatch(/>\)?$/)
})

test('the address of an episode stays within its link', () => {
  const videoUrl = 'https://cdn.example.org/a|b> <!channel>.mp3?x=1&y=2'
  const encoded = 'https://cdn.example.org/a%7Cb%3E%20%3C!channel%3E.mp3?x=1'
  expect(slack({ videoUrl }).text).toBe(`*New video*: <${encoded}&amp;y=2|A title>`)
  expect(discord({ videoUrl }).content).toBe(`**New video**: [A title](<${encoded}&y=2>)`)
})

test('a subscription that is held says why', () => {
  expect(JSON.parse(writeHoldMessage('slack', 'spend'))).toEqual({
    text: 'New videos wait: your spending limit is reached.',
  })
})
