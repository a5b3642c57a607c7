import { createHash } from 'node:crypto'
import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import { parse } from 'yaml'
import { renderObsidianNote } from './obsidian-note.ts'
import { hostileText } from './testing/hostile-texts.ts'
import { buildCues, buildSampleResult, collect, inParts } from './testing/sample-result.ts'

type Changes = Parameters<typeof buildSampleResult>[0]

const render = async (changes: Changes = {}): Promise<string> =>
  (await collect(renderObsidianNote(buildSampleResult(changes)))).join('')

const { videoInfo: VIDEO } = buildSampleResult()

function split(note: string): { properties: Record<string, unknown>; body: string } {
  const [, yaml = '', body = ''] = /^---\n(.*?)\n---\n\n(.*)$/s.exec(note) ?? []
  return { properties: parse(yaml), body }
}

const hashOf = (note: string): string =>
  createHash('sha256')
    .update(note.replace(/^subtext_hash: .*\n/m, ''))
    .digest('hex')

test('has the properties that other programs read', async () => {
  const note = await render()
  expect(split(note).properties).toEqual({
    job_id: '0192f0c1-2b3c-7d4e-8f50-112233445566',
    video_id: 'dQw4w9WgXcQ',
    title: 'Ice & rivers: what melts first?',
    channel: 'Tom & Jerry',
    url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
    published: '2024-05-06',
    language: 'en',
    modes: ['tldr', 'timestamped'],
    subtext_hash: hashOf(note),
  })
  const { properties } = split(await render({ videoInfo: { ...VIDEO, published_at: null }, summaries: [] }))
  expect(properties).toMatchObject({ published: null, modes: [] })
})

test('leads from every citation to a paragraph that begins with the cited segment', async () => {
  const { body } = split(await render())
  const targets = [...body.matchAll(/\[\[#\^(s\d+)\|/g)].map(([, id]) => id)
  expect(new Set(targets)).toEqual(new Set(['s1', 's2', 's3']))
  const blocks = Object.fromEntries(
    [...body.matchAll(/^\[[\d:]+\]\(\S+\) (.*) \^(s\d+)$/gm)].map(([, text, id]) => [id, text]),
  )
  expect(blocks).toEqual({ s1: 'Ice is old.', s2: 'It melts.', s3: 'Then it flows.' })
  expect(body).toContain('[[#^s2|1:05]] [▸](https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=65s)')
})

test('has the chapters as a list and as headings of the transcript', async () => {
  const chapters = [
    { title: 'Ice #1', start: 0 },
    { title: 'Water', start: 4 },
  ]
  const { body } = split(await render({ videoInfo: { ...VIDEO, chapters }, summaries: [] }))
  expect(body).toContain('- [0:04](https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=4s) Water')
  expect(body.slice(body.indexOf('## Transcript'))).toBe(`## Transcript

### Ice \\#1

[0:00](https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=0s) Ice is old. It melts.

### Water

[0:06](https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=6s) Then it flows.
`)
})

test('a long note is the same whether its body was kept in memory or not', async () => {
  const note = await render({ cues: inParts(buildCues(Array(60_000).fill('word word word word')), 500) })
  const { properties, body } = split(note)
  expect(body.length).toBeGreaterThan(1024 ** 2)
  expect(properties.subtext_hash).toBe(hashOf(note))
  expect(body.match(/word/g)).toHaveLength(240_000)
})

test('foreign text has no meaning in Markdown of Obsidian', async () => {
  const text = 'A #tag ==mark== %%note%% $x$ ^id [[Note]] ![[Note]] [^1] <%tp%> - C# and 5 = 5, 5 % of 3'
  const { body } = split(await render({ summaries: [], cues: inParts(buildCues([text])) }))
  expect(body).toContain(
    String.raw`A \#tag \=\=mark\=\= \%\%note\%\% \$x\$ \^id \[\[Note\]\] !\[\[Note\]\] \[\^1\] \<%tp%> - C# and 5 = 5, 5 % of 3`,
  )
})

const hostile = fc
  .array(fc.oneof(hostileText, fc.constantFrom('---\n', '#tag', '[[x]]', '==', '%%', '$', ' ^s1', ': ')))
  .map((parts) => parts.join(''))

test('properties keep any text, and no text becomes a tag, a link, a comment or the ID of a block', async () => {
  const shown = /(?<!\\)(?:\\\\)*(?:#[^ #]|==|%%|\$|\^(?!s\d+(?:\||$))|\[\[(?!#\^s\d+\|))/m
  const markdown = new MarkdownIt()
  await fc.assert(
    fc.asyncProperty(hostile, hostile, async (title, said) => {
      const videoInfo = { ...VIDEO, title, channel: { ...VIDEO.channel, name: said }, chapters: [] }
      const note = await render({ videoInfo, summaries: [], cues: inParts(buildCues([said, 'end'])) })
      const { properties, body } = split(note)
      expect(properties.subtext_hash).toBe(hashOf(note))
      expect(Object.keys(properties)).toHaveLength(9)
      expect(body.replaceAll(/^#+ /gm, '').replaceAll(/https:\S+/g, '')).not.toMatch(shown)
      expect(markdown.render(body)).toContain('end</p>')
    }),
  )
})
