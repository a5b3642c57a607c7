import { createRenderer } from '../index.ts'
import { readPdf } from '../testing/read-pdf.ts'

const { parseShow, writeShow } = await import(new URL('./show-strings.mjs', import.meta.url).href)

test('reads the operands of operators that show text, and writes them again', () => {
  const parts = [{ code: 0x000a }, { code: 0x2829 }, { move: -12.5 }, { code: 0x5c28 }, { move: 3 }]
  expect(parseShow('[(\\000\\n\\(\\)) -12.5 <5C28> 3]')).toEqual(parts)
  expect(parseShow('[(\\0\\n())-12.5(\\\\\\50)3]')).toEqual(parts)
  expect(writeShow(parts)).toBe('[<000A2829> -12.5 <5C28> 3 ] TJ')
  expect(parseShow(writeShow(parts).replace(' TJ', ''))).toEqual(parts)
  expect(parseShow('(\\r\\t\\b\\f)')).toEqual([{ code: 0x0d09 }, { code: 0x080c }])
})

const read = async (language: string, texts: string[], maxTaggedBytes?: number): Promise<string> => {
  const renderer = createRenderer()
  const data = [JSON.stringify({ title: 'x', language, texts })]
  const { bytes } = await renderer
    .render({ template: 'sample', format: 'pdf', data, maxTaggedBytes })
    .finally(() => renderer.close())
  return (await readPdf(bytes)).text
}

/** The same glyphs stand for different texts in these. */
const WORDS = ['कि', 'ति', 'क', 'किताब', 'नमस्कार', 'धर्म', 'क्षत्रिय', 'ज़्यादा', 'कुछ', 'हिन्दी']

test.each([
  ['with tags', undefined],
  ['without tags', 0],
])('gives every reader the text of reordered and joined letters, %s', async (_, maxTaggedBytes) => {
  const lines = (await read('hi', WORDS, maxTaggedBytes)).split('\n')
  expect(lines.filter((line) => WORDS.includes(line))).toEqual(WORDS)
})

test('gives every reader the hyphens of a text in which lines are hyphenated, too', async () => {
  const text = 'Well-known incomprehensibilities of counterrevolutionaries are self-evident. '.repeat(9).trim()
  expect(await read('en', [text])).toMatch(/Well-known .* self-evident/s)
})

test('gives every reader the letters before a soft hyphen that is not used', async () => {
  expect(await read('en', ['aq\u00adxyzq'])).toContain('aqxyzq')
})
