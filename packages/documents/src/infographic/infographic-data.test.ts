import { buildSample, INFOGRAPHIC_LANGUAGES } from '../testing/infographics.ts'
import { writeDate, writeDuration, writeFigure } from './amounts.ts'
import { describeInfographic } from './describe-infographic.ts'
import { buildInfographicData } from './infographic-data.ts'
import { listColors } from './palettes.ts'

const LAYOUT = { layout: 'card', theme: 'light' } as const
const build = (language: string, changes = {}) => buildInfographicData({ ...buildSample(language, changes), ...LAYOUT })

/** Contrast of two colors, by WCAG 2. */
function measureContrast(one: string, other: string): number {
  const luminance = (color: string): number => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

test.each(['light', 'dark'] as const)('all texts can be read in every palette, %s', (theme) => {
  for (const { block, onBlock, paper, ink, quiet, accent } of listColors(theme)) {
    for (const [text, ground] of [
      [onBlock, block],
      [ink, paper],
      [quiet, paper],
    ] as const) {
      expect(measureContrast(text, ground)).toBeGreaterThanOrEqual(4.5)
    }
    // Large numbers only.
    expect(measureContrast(accent, paper)).toBeGreaterThanOrEqual(3)
  }
})

test('a video always has the same colors, and others have others', () => {
  const colorsOf = (videoId: string) => {
    const { content, video } = buildSample('en')
    return JSON.stringify(buildInfographicData({ content, video: { ...video, video_id: videoId }, ...LAYOUT }).colors)
  }
  const all = Array.from({ length: 100 }, (_, index) => colorsOf(`video-${index}`))
  expect(new Set(all).size).toBe(listColors('light').length)
  expect(colorsOf('video-1')).toBe(all[1])
})

test('sets each language in its direction, with the date and the duration in its words', () => {
  expect(build('ar')).toMatchObject({ language: { dir: 'rtl', script: 'Arab' }, date: expect.stringContaining('2026') })
  expect(build('de')).toMatchObject({ language: { dir: 'ltr', lang: 'de' }, date: '3. Mai 2026', duration: '18 Min.' })
  expect(build('ja')).toMatchObject({ date: '2026年5月3日', address: 'youtu.be/sample-ja' })
  for (const language of INFOGRAPHIC_LANGUAGES) expect(build(language).date).toMatch(/2026/)
})

test.each([
  [0, 'en', '1 sec'],
  [9_000, 'en', '9 sec'],
  [59_600, 'en', '1 min'],
  [80_000, 'en', '1 min'],
  [3_600_000, 'en', '1 hr'],
  [9_060_000, 'de', '2 Std. 31 Min.'],
])('writes a duration of %i ms in %s', (ms, language, expected) => {
  expect(writeDuration(ms, language)).toBe(expected)
})

test('leaves out a date that the platform did not say', () => {
  expect(writeDate(null, 'en')).toBe('')
  expect(writeDate('soon', 'en')).toBe('')
})

test.each([
  ['38', '%', 'en', '38%'],
  ['38', '%', 'de', '38\u00a0%'],
  ['17.2', 'kg', 'en', '17.2\u00a0kg'],
  ['5', '$', 'en', '$5'],
  ['-12', '°C', 'de', '−12\u00a0°C'],
  ['98', '%', 'ja', '98%'],
  ['15', '秒', 'ja', '15秒'],
])('writes %s %s in %s as it is usual there', (value, unit, language, expected) => {
  expect(writeFigure(value, unit, language)).toBe(expected)
})

test('falls back to the title, and to the address of a video without one', () => {
  const { content, video } = buildSample('en', { headline: null })
  expect(buildInfographicData({ content, video, ...LAYOUT }).headline).toBe(video.title)
  const untitled = { ...video, title: '\u200b' }
  expect(buildInfographicData({ content, video: untitled, ...LAYOUT }).headline).toBe('youtu.be/sample-en')
})

test('contains no character that controls the direction or is not one', () => {
  const { content, video } = buildSample('en', { headline: 'a\u202eb\ud800c\u0000d' })
  const title = 'x\u2066y\n\tz'
  const text = JSON.stringify(buildInfographicData({ content, video: { ...video, title }, ...LAYOUT }))
  for (const unwanted of ['\u202e', '\u2066', '\\u0000', '\\ud800', '\\n']) expect(text).not.toContain(unwanted)
})

test('an unknown language is set like English', () => {
  expect(build('en', { language: 'not a language' })).toMatchObject({ language: { dir: 'ltr' }, duration: '18 min' })
})

describe('the description', () => {
  test('says everything that the picture shows', () => {
    const { content, video } = buildSample('en')
    const text = describeInfographic(content, video)
    for (const claim of content.claims) expect(text).toContain(claim.text)
    expect(text).toContain('Why city bees are doing better than country bees')
    expect(text).toContain('Field Notes')
    expect(text).toContain('17.2\u00a0kg honey per urban hive')
    expect(describeInfographic({ ...content, figures: [] }, video)).toContain(
      'Where the time goes: The survey 5:51, What cities offer 4:30, The rural gap 4:30, What you can plant 3:09.',
    )
  })

  test('names bars with their unit', () => {
    const figures = [1, 2, 3].map((amount) => ({
      value: `${amount}`,
      unit: 'metres',
      label: `tower ${amount}`,
      amount,
      segmentId: 1,
    }))
    const { content, video } = buildSample('en', { figures, isChart: true })
    expect(describeInfographic(content, video)).toContain('metres: tower 1 1, tower 2 2, tower 3 3.')
  })

  test('takes a title for what it is', () => {
    const { content, video } = buildSample('en')
    expect(describeInfographic(content, { ...video, title: '{channel} $&' })).toContain('“{channel} $&” by Field Notes')
  })

  test('has a limited length', () => {
    const claims = Array.from({ length: 5 }, () => ({ text: 'x'.repeat(5_000), segmentIds: [1] }))
    const { content, video } = buildSample('en', { claims })
    expect(describeInfographic(content, video).length).toBeLessThanOrEqual(1_500)
  })
})

test('lets what is no word be broken, and leaves words whole', () => {
  const code =
    '<script>alert(document.cookie)</script> https://example.org/a/very/long/path?x=aaaaaaaaaaaaaaaaaaaaaaaaaa'
  const { headline, title, claims } = buildInfographicData({
    ...buildSample('en', { headline: code, claims: [{ text: code, segmentIds: [1] }] }),
    ...LAYOUT,
  })
  const video = { ...buildSample('en').video, title: code }
  const other = buildInfographicData({ content: buildSample('en', { headline: null }).content, video, ...LAYOUT })
  expect([other.title, other.headline].every((text) => text.includes('\u200b'))).toBe(true)
  expect(title).toBe(buildSample('en').video.title)
  for (const text of [headline, other.headline, claims[0]?.text ?? '']) {
    expect(Math.max(...text.split(/[ \u200b]/).map((part) => part.length))).toBeLessThanOrEqual(16)
  }
  const words = 'Verkehrsinfrastruktur-Finanzierungsgesetz, straightforwardness! 東京の電車はなぜ時間どおりに来るのか。'
  expect(build('en', { headline: words }).headline).toBe(words)
})

test('writes a long unit below its number, unless the label names it', () => {
  const figure = { value: '300', unit: 'beekeepers', amount: 1, segmentId: 1 }
  const shown = (label: string) => build('en', { figures: [{ ...figure, label }] }).figures
  expect(shown('surveyed')).toEqual([{ value: '300', unit: 'beekeepers', label: 'surveyed' }])
  expect(shown('Beekeepers who answered')).toEqual([{ value: '300', unit: '', label: 'Beekeepers who answered' }])
})

test('shows the longest parts only if they take much of the video', () => {
  const split = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ title: `Part ${index}`, startMs: (index * 1_080_000) / count }))
  expect(build('en', { parts: split(10) }).topics).toHaveLength(4)
  expect(build('en', { parts: split(30) }).topics).toEqual([])
})

test('writes the time of each part so that different bars have different values, all in one form', () => {
  const valuesOf = (...lengths: number[]) => {
    const parts = lengths.map((_, index) => ({
      title: `Part ${index}`,
      startMs: lengths.slice(0, index).reduce((sum, seconds) => sum + seconds * 1_000, 0),
    }))
    const durationMs = lengths.reduce((sum, seconds) => sum + seconds * 1_000, 0)
    return build('en', { parts, durationMs }).topics.map(({ value }) => value)
  }
  expect(valuesOf(41, 37, 36, 35)).toEqual(['0:41', '0:37', '0:36', '0:35'])
  expect(valuesOf(9)).toEqual(['0:09'])
  expect(valuesOf(4_000, 1_200, 599)).toEqual(['1:06:40', '20:00', '9:59'])
  expect(valuesOf(4_000, 1_200, 600)).toEqual(['1 hr 7 min', '20 min', '10 min'])
})
