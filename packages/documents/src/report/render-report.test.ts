import { SAMPLE_TALKS } from '@subtext/fakes'
import { findLabels, type RenderableResult } from '@subtext/render'
import { buildCues, buildSampleResult, inParts } from '@subtext/render/testing'
import { createRenderer, type Renderer, type Report, renderReport } from '../index.ts'
import { ARABIC_TALK } from '../testing/arabic-talk.ts'
import { joinLines, type OutlineEntry, type ReadPdf, readPdf } from '../testing/read-pdf.ts'
import { buildTalkResult, type DescribedTalk } from '../testing/talk-result.ts'

const TALKS: Record<string, DescribedTalk> = { ...SAMPLE_TALKS, arabic: ARABIC_TALK }
const ONE_PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const WORD = /[\p{L}\p{M}\p{N}]+/gu

let renderer: Renderer
beforeAll(() => {
  renderer = createRenderer()
})
afterAll(() => renderer.close())

const render = (result: RenderableResult, options: Partial<Report> = {}) =>
  renderReport(renderer, { result, paper: 'a4', transcript: true, ...options })
const read = async (result: RenderableResult, options?: Partial<Report>): Promise<ReadPdf> =>
  readPdf((await render(result, options)).bytes)
const titlesOf = (entries: OutlineEntry[]): string[] =>
  entries.flatMap(({ title, items }) => [title, ...titlesOf(items)])

describe.each(Object.entries(TALKS))('a report in %s', (_language, talk) => {
  let pdf: ReadPdf
  let conforms: boolean
  const result = buildTalkResult(talk)
  beforeAll(async () => {
    const document = await render(result)
    conforms = document.conforms
    pdf = await readPdf(document.bytes)
  })

  test('has a glyph for every character, and every word can be read', async () => {
    expect(conforms).toBe(true)
    const spoken = (talk.tracks[0]?.cues() ?? []).map(({ text }) => text).join(' ')
    const words = [...new Set(spoken.normalize('NFC').match(WORD))]
    const text = joinLines(pdf.text)
    expect(words.length).toBeGreaterThan(25)
    expect(words.filter((word) => !text.includes(word))).toEqual([])
  })

  test('has its language, title and channel in its metadata', () => {
    expect(pdf.info).toMatchObject({
      Language: expect.stringMatching(new RegExp(`^${talk.language.slice(0, 2)}\\b`)),
      Title: talk.title,
      Author: talk.author,
    })
  })

  test('has an outline of its summaries and chapters, in words of its language', () => {
    const labels = findLabels(talk.language)
    const titles = titlesOf(pdf.outline)
    expect(titles).toEqual(expect.arrayContaining([labels?.summary, labels?.modes.tldr, labels?.transcript]))
    expect(titles).toEqual(expect.arrayContaining(result.videoInfo.chapters.map(({ title }) => title)))
  })
})

describe('a report', () => {
  const result = buildTalkResult(SAMPLE_TALKS.english)
  let pdf: ReadPdf
  beforeAll(async () => {
    pdf = await read(result, { thumbnail: ONE_PIXEL })
  })

  test('is tagged with its headings, paragraphs, lists, links and picture', () => {
    expect(pdf.alternatives).toEqual(['Video: The Woman Who Drew the Ocean Floor'])
    for (const role of ['Document', 'H1', 'H2', 'H3', 'P', 'L', 'LI', 'Link', 'TOC', 'Figure']) {
      expect([role, pdf.roles.get(role) ?? 0]).not.toEqual([role, 0])
    }
  })

  test('links every time to its moment of the video, and citations to their line of the transcript', () => {
    const moment = (seconds: number) => `https://www.youtube.com/watch?v=sbtx-en-map&t=${seconds}s`
    expect(new Set(pdf.urls.filter((url) => !url.includes('&t=')))).toEqual(
      new Set(['https://www.youtube.com/watch?v=sbtx-en-map']),
    )
    // Segments 1 and 2 are one passage.
    for (const [id, startMs] of result.citedStarts) {
      if (id !== 2) expect(pdf.urls).toContain(moment(Math.floor(startMs / 1_000)))
    }
    // The contents, and the moments of both summaries.
    expect(pdf.targets.length).toBeGreaterThan(titlesOf(pdf.outline).length)
    expect(Math.max(...pdf.targets)).toBe(pdf.pages - 1)
  })

  test('says where the captions are from and who wrote the summaries', () => {
    for (const text of ['English (written captions)', 'repeated lines (12)', 'Written by model-a.', '2026-03-14']) {
      expect(pdf.text).toContain(text)
    }
  })

  test('has no transcript if none is wanted, but the list of chapters', async () => {
    const short = await read(result, { transcript: false })
    expect(short.pages).toBeLessThan(pdf.pages)
    expect(titlesOf(short.outline)).not.toContain('Transcript')
    expect(short.text).toContain('Convincing the world')
    expect(short.text).not.toContain('Telegraph engineers')
    expect(short.urls).toContain('https://www.youtube.com/watch?v=sbtx-en-map&t=3s')
  })

  test('has only the summaries that are wanted, and fits on the paper', async () => {
    const { bytes } = await render(result, { modes: ['tldr'], paper: 'letter' })
    const { outline } = await readPdf(bytes)
    expect(titlesOf(outline)).toEqual(expect.arrayContaining(['TL;DR']))
    expect(titlesOf(outline)).not.toContain('Detailed summary')
    expect(bytes.toString('latin1')).toMatch(/\/MediaBox \[0 0 612 792\]/)
    expect((await render(result)).bytes.toString('latin1')).toMatch(/\/MediaBox \[0 0 595\.2\d* 841\.8\d*\]/)
  })

  test('is a document even without summaries, chapters and words', async () => {
    const empty = await read(
      buildSampleResult({
        summaries: [],
        citedStarts: new Map(),
        cues: inParts([]),
        videoInfo: {
          ...buildSampleResult().videoInfo,
          title: '',
          chapters: [],
          published_at: null,
          duration_seconds: 0,
        },
      }),
    )
    expect(empty.info).toMatchObject({ Title: 'dQw4w9WgXcQ' })
    expect(empty.pages).toBeGreaterThan(0)
  })

  test('draws a placeholder where the picture cannot be decoded', async () => {
    const whole = await render(result)
    const broken = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from('not a picture')])
    for (const thumbnail of [broken, Buffer.from('GIF89a')]) {
      expect((await render(result, { thumbnail })).bytes.equals(whole.bytes)).toBe(true)
    }
  })

  test('has Han characters in the forms of its language', async () => {
    const fontsOf = async (language: string): Promise<string[]> => {
      const track = { ...result.track, language }
      const { bytes } = await render({ ...result, track, cues: inParts(buildCues(['直角'])), summaries: [] })
      return [...new Set(bytes.toString('latin1').match(/NotoSans(?:JP|KR|SC|TC)/g))]
    }
    expect(await fontsOf('ja')).toEqual(['NotoSansJP'])
    expect(await fontsOf('zh-TW')).toEqual(['NotoSansTC'])
    expect(await fontsOf('zh-Hans')).toEqual(['NotoSansSC'])
  })

  const TIME = /^\d:\d\d$/
  test.each([
    ['Arabic transcript in English', ARABIC_TALK, 'en'],
    ['English transcript in Arabic', SAMPLE_TALKS.english, 'ar'],
  ])('has its times beside the text, and not above it: %s', async (_, talk, outputLanguage) => {
    // A summary decides the language of the document.
    const content = { overview: [{ text: '-', segmentIds: [] }], sections: [] }
    const summaries = [{ mode: 'tldr' as const, model: 'model-a', content }]
    const { pieces } = await read(buildTalkResult(talk, { summaries, citedStarts: new Map(), outputLanguage }))
    const times = pieces.filter(({ text }) => TIME.test(text)).slice(1)
    const spoken = (talk.tracks[0]?.cues() ?? []).map(({ text }) => text).join(' ')
    const lines = pieces.filter(({ text }) => text.length > 20 && spoken.includes(text.trim()))
    expect(times.length).toBeGreaterThan(3)
    expect(lines.length).toBeGreaterThan(3)
    const [left, right] = [Math.min(...lines.map((line) => line.left)), Math.max(...lines.map((line) => line.right))]
    for (const time of times) expect([time, time.right < left || time.left > right]).toEqual([time, true])
  })

  const POINTS = { a4: 595.3, letter: 612 }
  const MARGIN = 68
  test.each([
    ['de', 'a4', 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz'],
    ['en', 'letter', 'Donaudampfschifffahrtsgesellschaftskapitänswitwenrente'],
    ['de', 'a4', 'W'.repeat(100)],
    ['en', 'letter', 'W'.repeat(100)],
    ['en', 'a4', 'превысокомногорассмотрительствующий'],
    ['en', 'a4', `https://example.org/${'documents/4?a=7&'.repeat(8)}`],
    ['ar', 'a4', 'مسؤولياتهم'.repeat(9)],
    ['ar', 'a4', '٣'.repeat(150)],
    ['hi', 'a4', 'क्षत्रिय'.repeat(12)],
    ['ta', 'a4', 'ஔ'.repeat(25)],
    ['kn', 'a4', 'ಕ್ಷ'.repeat(60)],
    ['en', 'a4', '♪'.repeat(120)],
    ['en', 'a4', '━'.repeat(120)],
    ['en', 'a4', '…'.repeat(120)],
    ['en', 'a4', '-'.repeat(250)],
  ] as const)('breaks words that are wider than a line: %s, %s, %s', async (language, paper, word) => {
    const point = { text: `a ${word}`, segmentIds: [1] }
    const content = { overview: [point], sections: [{ heading: word, points: [point] }] }
    const { videoInfo, track } = result
    const { pieces, text, info, outline } = await read(
      {
        ...result,
        track: { ...track, language },
        videoInfo: {
          ...videoInfo,
          title: `x ${word}`,
          channel: { ...videoInfo.channel, name: word },
          chapters: [{ title: word, start: 0 }],
        },
        summaries: (['detailed', 'timestamped'] as const).map((mode) => ({ mode, content, model: word })),
        cues: inParts(buildCues([word, `${word} ${word}`])),
      },
      { paper },
    )
    const outside = pieces.filter(({ left, right }) => left < MARGIN - 1 || right > POINTS[paper] - MARGIN + 3)
    expect(outside).toEqual([])
    expect(text).not.toContain('\u200b')
    const printed = text.normalize('NFC').replace(/\s|(?<=\p{L})[-\u2010](?=\n)|\u00ad/gu, '')
    // As channel, title, entry of the contents, author, points, headings, chapter and in the transcript.
    expect(printed.split(word).length - 1).toBeGreaterThanOrEqual(12)
    expect(info).toMatchObject({ Title: `x ${word}`, Author: word })
    expect(titlesOf(outline)).toContain(word)
  })

  test.each(['https://www.youtube.com/watch?v=dQw4w9WgXcQ', `${'mn'.repeat(23)}q${'mn'.repeat(23)}`, 'q\u00adx'])(
    'has the words of the transcript as they are, so that they can be copied: %s',
    async (word) => {
      const { text } = await read({ ...result, summaries: [], cues: inParts(buildCues([`a ${word} b`])) })
      expect(joinLines(text)).toContain(word.replace('\u00ad', ''))
    },
  )

  test('begins no page between a heading and what follows the note below it', async () => {
    const { videoInfo } = result
    const pages = new Set<number>()
    for (let count = 18; count < 23; count++) {
      const chapters = Array.from({ length: count }, (_, index) => ({ title: `Part ${index}`, start: index }))
      const { pieces } = await read({ ...result, videoInfo: { ...videoInfo, chapters } }, { modes: ['tldr'] })
      const [heading, note, mode] = ['Summary', 'Written by model-a.', 'TL;DR'].map(
        (part) => pieces.findLast(({ text }) => text === part)?.page,
      )
      expect([count, heading, note]).toEqual([count, mode, mode])
      pages.add(mode ?? 0)
    }
    expect([...pages]).toEqual([1, 2])
  })

  test('begins paragraphs of another direction at the other side', async () => {
    const [arabic, english] = ['لماذا البحر مالح', 'Why is the sea salty']
    const cues = inParts(buildCues([english, `>> ${arabic}`, `>> ${english}`]))
    const find = async (language: string, part: string): Promise<number | undefined> => {
      const track = { ...result.track, language }
      const { pieces } = await read({ ...result, track, cues, summaries: [] })
      return pieces.findLast(({ text }) => text.includes(part))?.left
    }
    const middle = 298
    expect(await find('en', 'مالح')).toBeGreaterThan(middle)
    expect(await find('en', 'Why')).toBeLessThan(middle)
    expect(await find('ar', 'مالح')).toBeGreaterThan(middle)
    expect(await find('ar', 'Why')).toBeLessThan(middle)
  })
})
