import { createHash } from 'node:crypto'
import type { SummaryMode } from '@subtext/contracts'
import { fuzzRuns } from '@subtext/runtime/testing'
import fc from 'fast-check'
import { foldText } from './fold-text.ts'
import { HTML_POLICY, renderHtmlDocument } from './html-document.ts'
import type { RenderableResult } from './renderable-result.ts'
import { hostileText } from './testing/hostile-texts.ts'
import { buildCues, buildSampleResult, collect, inParts } from './testing/sample-result.ts'

const pageOf = async (changes: Partial<RenderableResult> = {}): Promise<string> =>
  (await collect(renderHtmlDocument(buildSampleResult(changes)))).join('')

const WATCH = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'
const time = (clock: string, seconds: number) => `<a class="t" href="${WATCH}&amp;t=${seconds}s">${clock}</a>`

const cite = (clock: string, seconds: number, segment: number) =>
  `<span class="c"><a href="#s${segment}">${clock}</a><a href="${WATCH}&amp;t=${seconds}s" aria-label="Video ${clock}">▸</a></span>`

const styleOf = (page: string): string => page.match(/<style>(.*?)<\/style>/s)?.[1] ?? ''

test('writes the result as a web page', async () => {
  const { videoInfo } = buildSampleResult()
  const chapters = [
    { title: 'Start', start: 0 },
    { title: 'The <melt>', start: 2.5 },
    { title: 'Never reached', start: 900 },
  ]
  const page = await pageOf({ videoInfo: { ...videoInfo, chapters }, truncated: true })
  expect(page.replace(styleOf(page), '')).toBe(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Ice &amp; rivers: what melts first?</title>
<style></style>
</head>
<body>
<main>
<h1>Ice &amp; rivers: what melts first?</h1>
<ul>
<li>Channel: Tom &amp; Jerry</li>
<li>URL: <a href="${WATCH}" dir="ltr">${WATCH}</a></li>
<li>Duration: <bdi dir="ltr">1:02:05</bdi></li>
<li>Published: <bdi dir="ltr">2024-05-06</bdi></li>
<li>Language: en (written captions)</li>
</ul>
<h2>Contents</h2>
<nav>
<ul>
<li><a href="#summary">Summary</a>
<ul>
<li><a href="#tldr">TL;DR</a></li>
<li><a href="#timestamped">Timeline</a></li>
</ul>
</li>
<li><a href="#chapters">Chapters</a></li>
<li><a href="#transcript">Transcript</a></li>
</ul>
</nav>
<h2 id="summary">Summary</h2>
<p class="by">Written by model-a.</p>
<h3 id="tldr">TL;DR</h3>
<p>Glaciers store water. ${cite('1:05', 65, 2)} They shrink. ${cite('0:00', 0, 1)} Rivers start there ${cite('1:02:03', 3723, 3)} Nobody said this Stakes show the melt ${cite('0:00', 0, 1)}</p>
<h3 id="timestamped">Timeline</h3>
<p>Glaciers store water. ${cite('1:05', 65, 2)} They shrink. ${cite('0:00', 0, 1)}</p>
<ul>
<li>${cite('0:00', 0, 1)} Stakes show the melt</li>
<li>${cite('1:02:03', 3723, 3)} Rivers start there</li>
<li>Nobody said this</li>
</ul>
<h2 id="chapters">Chapters</h2>
<ul>
<li>${time('0:00', 0)} Start</li>
<li>${time('0:02', 2)} The &lt;melt&gt;</li>
<li>${time('15:00', 900)} Never reached</li>
</ul>
<h2 id="transcript">Transcript</h2>
<p>Note: the transcript was cut at the maximum length and ends before the video does.</p>
<section lang="en">
<h3>Start</h3>
<p>${time('0:00', 0)} <span id="s1">Ice is old.</span></p>
<h3>The &lt;melt&gt;</h3>
<p>${time('0:03', 3)} <span id="s2">It melts.</span> <span id="s3">Then it flows.</span></p>
</section>
</main>
</body>
</html>
`)
})

test('puts the headings of sections below those of modes and numbers key insights', async () => {
  const [summary] = buildSampleResult().summaries
  if (!summary) throw new Error('The sample has no summary.')
  const page = await pageOf({ summaries: [{ ...summary, mode: 'key_insights' }] })
  expect(page).toContain(
    `<h3 id="key_insights">Key insights</h3>\n<ol>\n<li>Glaciers store water. ${cite('1:05', 65, 2)}</li>\n<li>They shrink. ${cite('0:00', 0, 1)}</li>\n</ol>`,
  )
  expect(page).toContain('<h4>Why it matters</h4>\n<ul>\n<li>Rivers start there ')
})

test('leads from the time of every claim to its line in the transcript, wherever paragraphs begin', async () => {
  // Paragraphs end after some of these lines and within the long one. A line without text has no place in the transcript.
  const texts = Array.from(
    { length: 90 },
    (_, index) => `Line ${index + 1} is <${'x'.repeat(index === 59 ? 1_500 : 9)}>`,
  )
  const cues = buildCues([...texts, '\u0007', 'The end.'])
  const cited = cues.map((_, index) => index + 1).filter((id) => id % 3 === 0 || id > 58)
  const page = await pageOf({
    cues: inParts(cues, 7),
    citedStarts: new Map(cited.map((id) => [id, (id - 1) * 3_000])),
    summaries: [
      {
        mode: 'key_insights',
        model: 'model-a',
        content: { overview: cited.map((id) => ({ text: `Claim ${id}.`, segmentIds: [id] })), sections: [] },
      },
    ],
  })
  const idsIn = (pattern: RegExp) => [...page.matchAll(pattern)].map(([, id]) => Number(id))
  expect(idsIn(/href="#s(\d+)"/g)).toEqual(cited)
  expect(idsIn(/ id="s(\d+)"/g)).toEqual(cited.filter((id) => id !== 91))
  const lines = [...page.matchAll(/<span id="s(\d+)">(.*?)<\/span>/g)].map(([, id, text = '']) => [id, decode(text)])
  for (const [id, line = ''] of lines) {
    const spoken = cues[Number(id) - 1]?.text ?? ''
    expect(line).toBe(id === '60' ? spoken.slice(0, line.length) : spoken)
  }
  expect(page.match(/<p>/g)?.length).toBeGreaterThan(3)
})

test('keeps dates and durations from left to right among Arabic letters', async () => {
  const page = await pageOf({ track: { ...buildSampleResult().track, language: 'ar' }, summaries: [] })
  expect(page).toMatch(/<li>[^<]*\p{sc=Arabic}: <bdi dir="ltr">2024-05-06<\/bdi><\/li>/u)
  expect(page).toMatch(/<li>[^<]*\p{sc=Arabic}: <bdi dir="ltr">1:02:05<\/bdi><\/li>/u)
})

test('marks the language of the transcript where it is not that of the page', async () => {
  const { track } = buildSampleResult()
  const page = await pageOf({ track: { ...track, language: 'ar' }, outputLanguage: 'de' })
  expect(page).toContain('<html lang="de">')
  expect(page).toContain('<h2 id="transcript">Transkript</h2>\n<section lang="ar" dir="rtl">\n<h3>')
})

test.each([
  ['en', ' lang="en"'],
  ['pt-br', ' lang="pt-BR"'],
  ['ar', ' lang="ar" dir="rtl"'],
  ['fa-IR', ' lang="fa-IR" dir="rtl"'],
  ['ur', ' lang="ur" dir="rtl"'],
  ['iw', ' lang="he" dir="rtl"'],
  ['az-Arab', ' lang="az-Arab" dir="rtl"'],
  ['ar-Latn', ' lang="ar-Latn"'],
  ['zh-Hant', ' lang="zh-Hant"'],
  ['"><script>', ''],
  ['', ''],
])('sets language and direction of a transcript in %j', async (language, attributes) => {
  const { track } = buildSampleResult()
  expect(await pageOf({ track: { ...track, language } })).toContain(`<!DOCTYPE html>\n<html${attributes}>\n`)
})

test('allows the style sheet of the page in its policy and nothing else', async () => {
  const hash = createHash('sha256')
    .update(styleOf(await pageOf()))
    .digest('base64')
  expect(HTML_POLICY.split('; ')).toEqual([
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    'sandbox allow-popups allow-popups-to-escape-sandbox',
  ])
  expect(styleOf(await pageOf())).not.toMatch(/url\(|@import|\\/)
})

/**
 * Parses strict HTML, in which every `<` starts a tag with quoted attributes and every `&` one of five entities, so that all
 * parsers agree on it. Throws on anything else.
 */
function readStrictly(page: string): { tags: string[]; texts: string[] } {
  const entity = '&(?:amp|lt|gt|quot|#39);'
  const token = new RegExp(
    `(<!DOCTYPE html>|</?[a-z][a-z0-9]*(?: [a-z-]+="(?:[^<>&"]|${entity})*")*>)|((?:[^<>&"']|${entity})+)`,
    'y',
  )
  const tags: string[] = []
  const texts: string[] = []
  const body = page.replace(styleOf(page), '')
  while (token.lastIndex < body.length) {
    const at = token.lastIndex
    const [, tag, text] = token.exec(body) ?? []
    if (tag !== undefined) tags.push(tag)
    else if (text !== undefined) texts.push(text)
    else throw new Error(`Not strict: ${body.slice(at, at + 80)}`)
  }
  return { tags, texts }
}

const decode = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => {
    return { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }[name] ?? ''
  })

describe('the page of hostile texts', () => {
  const modes: SummaryMode[] = ['tldr', 'detailed', 'timestamped', 'key_insights']
  const build = (text: string): Partial<RenderableResult> => {
    const { videoInfo, track } = buildSampleResult()
    const point = { text, segmentIds: [1] }
    const content = { overview: [point, point], sections: [{ heading: text, points: [point, point] }] }
    return {
      videoInfo: {
        ...videoInfo,
        title: text,
        published_at: text,
        channel: { ...videoInfo.channel, name: text },
        chapters: [{ title: text, start: 7 }],
      },
      // The letters at both ends keep the text from being empty or a change of speaker.
      cues: inParts(buildCues([text, `x${text}x`, `x${text}x`, `x${text}x`])),
      track: { ...track, name: text },
      summaries: modes.map((mode) => ({ mode, content, model: text })),
    }
  }

  test('has only the elements and links of the template, and shows every word', async () => {
    const expected = readStrictly(await pageOf(build('x'))).tags
    await fc.assert(
      fc.asyncProperty(
        hostileText.map((text) => `x${text}x`),
        async (text) => {
          const { tags, texts } = readStrictly(await pageOf(build(text)))
          expect(tags).toEqual(expected)
          const shown = texts.map((each) => decode(each).trim())
          expect(shown.filter((line) => line === foldText(text)).length).toBeGreaterThanOrEqual(4)
          expect(shown.join('\n')).toContain(foldText(`x${text}x`))
        },
      ),
      { numRuns: fuzzRuns(), seed: 5 },
    )
  })

  test('is strict HTML even if texts are empty or start with marks', async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, async (text) => {
        const { tags } = readStrictly(await pageOf(build(text)))
        expect(tags.filter((tag) => /^<(?:script|img|svg)| on[a-z]+=| style=/.test(tag))).toEqual([])
      }),
      { numRuns: fuzzRuns(), seed: 6 },
    )
  })
})
