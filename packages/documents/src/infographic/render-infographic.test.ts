import { INFOGRAPHIC_LAYOUTS, type InfographicLayout } from '@subtext/contracts'
import { at } from '@subtext/runtime'
import { createRenderer, type Renderer } from '../renderer.ts'
import { buildSample, INFOGRAPHIC_LANGUAGES } from '../testing/infographics.ts'
import { renderInfographic } from './render-infographic.ts'

const { loadResvg } = await import(new URL('../engine.mjs', import.meta.url).href)

const SIZES = { card: [1080, 1350], wide: [1200, 675], story: [1080, 1920] }
const THEME = { theme: 'light' } as const

let renderer: Renderer
beforeAll(() => {
  renderer = createRenderer()
})
afterAll(() => renderer.close())

/** Reads width and height from the header of a PNG. */
const sizeOf = (png: Buffer): number[] => [png.readUInt32BE(16), png.readUInt32BE(20)]

test.each(INFOGRAPHIC_LAYOUTS)('draws %s as a PNG of its size, the same bytes each time', async (layout) => {
  const sample = { ...buildSample('en'), ...THEME, layout }
  const png = await renderInfographic(renderer, sample, 'png')
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  expect(sizeOf(png)).toEqual(SIZES[layout])
  expect((await renderInfographic(renderer, sample, 'png')).equals(png)).toBe(true)
  const dark = await renderInfographic(renderer, { ...sample, theme: 'dark' }, 'png')
  expect(dark.equals(png)).toBe(false)
})

test('draws an SVG that needs no font and says in words what it shows', async () => {
  const sample = { ...buildSample('en'), ...THEME, layout: 'card' } as const
  const video = { ...sample.video, title: 'Bees <script>alert(1)</script> & "more"' }
  const svg = (await renderInfographic(renderer, { ...sample, video }, 'svg')).toString()
  expect(svg).toMatch(/^<svg [^>]*role="img"><title>Infographic about the video “Bees &lt;script&gt;/)
  expect(svg).toContain('17.2\u00a0kg honey per urban hive')
  expect(svg).not.toMatch(/<text|<script|font-family/)
})

// What fits when it is long is drawn once when it is short, each language in another layout.
test.each(INFOGRAPHIC_LANGUAGES)('has place for what is said in %s', async (language) => {
  const layout = at(INFOGRAPHIC_LAYOUTS, INFOGRAPHIC_LANGUAGES.indexOf(language) % INFOGRAPHIC_LAYOUTS.length)
  // More than one page is an error.
  await renderInfographic(renderer, { ...buildSample(language), ...THEME, layout }, 'svg')
})

describe.each(INFOGRAPHIC_LAYOUTS)('a %s', (layout) => {
  /** As much as the checks of a form let through, with words that are as long as they get. */
  const fill = (language: string) => {
    const { content, video } = buildSample(language)
    const claims = [...content.claims, ...content.claims.slice(0, 2)].map(({ text, segmentIds }) => ({
      text: text.repeat(10).slice(0, 180),
      segmentIds,
    }))
    const momentsMs = claims.map((_, index) => index)
    const figures = content.figures.flatMap((figure) => [
      figure,
      { ...figure, label: figure.label.repeat(4).slice(0, 60) },
    ])
    const headline = `${content.headline}`.repeat(4).slice(0, 90)
    return {
      content: { ...content, claims, momentsMs, figures, headline },
      video: { ...video, title: video.title.repeat(8) },
    }
  }

  test.each(INFOGRAPHIC_LANGUAGES)('has place for much more than is said in %s', async (language) => {
    await renderInfographic(renderer, { ...fill(language), ...THEME, layout }, 'svg')
  })

  test('has place for words without an end, for bars, and for a video without parts', async () => {
    const { content, video } = buildSample('en')
    const endless = 'Pneumonoultramicroscopicsilicovolcanoconiosis'.repeat(4).slice(0, 180)
    const claims = content.claims.map(({ segmentIds }) => ({ text: endless, segmentIds }))
    const figures = [1, 2, 3].map((amount) => ({
      value: '1'.repeat(15),
      unit: endless.slice(0, 24),
      label: endless.slice(0, 60),
      amount,
      segmentId: 1,
    }))
    const parts = content.parts.map(({ startMs }) => ({ title: endless.slice(0, 60), startMs }))
    const headline = endless.slice(0, 90)
    const title = endless
    for (const changes of [
      { figures },
      { figures, isChart: true },
      { figures: [], parts },
      { figures: [], parts: [] },
    ]) {
      const sample = { content: { ...content, claims, headline, ...changes }, video: { ...video, title } }
      await renderInfographic(renderer, { ...sample, ...THEME, layout }, 'svg')
    }
  })
})

describe('words that are wider than their place', () => {
  type Region = [left: number, right: number, top: number, bottom: number]
  /** Where the line of the channel and the duration is, and what is empty left of the code, in pixels. */
  const PLACES: Record<InfographicLayout, { line: Region; empty: Region }> = {
    wide: { line: [52, 448, 40, 75], empty: [320, 338, 515, 640] },
    card: { line: [72, 1008, 55, 100], empty: [842, 878, 1160, 1300] },
    story: { line: [84, 996, 185, 235], empty: [812, 848, 1570, 1725] },
  }
  const WORDS = {
    en: 'MassachusettsInstituteOfTechnology_OpenCourseWare',
    de: 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz',
    ru: 'превысокомногорассмотрительствующийпревысокомногорассмотрительствующий',
    ar: 'مسؤولياتهم'.repeat(9),
  }

  test.each(
    INFOGRAPHIC_LAYOUTS.flatMap((layout) =>
      Object.entries(WORDS).map(([language, word]) => ({ layout, language, word })),
    ),
  )('are shortened or broken: $layout, $language', async ({ layout, language, word }) => {
    const { content, video } = buildSample(language)
    const named = { ...video, title: `a ${word}`, channel: { ...video.channel, name: word } }
    const svg = await renderInfographic(renderer, { content, video: named, ...THEME, layout }, 'svg')
    const { pixels, width } = new (loadResvg())(svg.toString()).render()
    const scale = width / at(SIZES[layout], 0)
    const colorAt = (x: number, y: number): number => {
      const column = Math.round(x * scale)
      const mirrored = language === 'ar' ? width - 1 - column : column
      return pixels.readUInt32BE(4 * (Math.round(y * scale) * width + mirrored))
    }
    /** Returns a letter for each column of a region with another color than its first pixel, and a space for each other one. */
    const inkOf = (...[left, right, top, bottom]: Region): string => {
      const rows = Array.from({ length: bottom - top }, (_, y) => top + y)
      const ground = colorAt(left, top)
      const columns = Array.from({ length: right - left }, (_, x) => left + x)
      return columns.map((x) => (rows.some((y) => colorAt(x, y) !== ground) ? 'x' : ' ')).join('')
    }
    const [left, right, top, bottom] = PLACES[layout].line
    expect(inkOf(left, right, top, bottom).trim()).toMatch(/ {14}/)
    if (layout === 'wide') expect(inkOf(right + 4, 498, top, bottom).trim()).toBe('')
    expect(inkOf(...PLACES[layout].empty).trim()).toBe('')
  })
})
