import { z } from 'zod'
import { text } from './text.ts'

const accepts = (schema: z.ZodType, value: unknown): boolean => schema.safeParse(value).success

describe('text', () => {
  test('counts characters, not UTF-16 code units', () => {
    expect(accepts(text(3), '😀😀😀')).toBe(true)
    expect(accepts(text(3), '😀😀😀😀')).toBe(false)
    expect(accepts(text(10, 2), '😀')).toBe(false)
    expect(accepts(text(10, 2), '😀a')).toBe(true)
  })

  test.each([
    ['NUL', 'a\u0000b'],
    ['a lone high surrogate', 'a\ud83d'],
    ['a lone low surrogate', '\ude00a'],
    ['surrogates in the wrong order', '\ude00\ud83d'],
  ])('refuses text with %s', (_, value) => {
    expect(accepts(text(10), value)).toBe(false)
  })

  test('leaves all other text unchanged', () => {
    for (const value of ['', ' a ', 'a\nb\t', '\u202eabc', '日本語', 'e\u0301'])
      expect(text(10).parse(value)).toBe(value)
  })

  test.each([5, null, undefined, ['a'], { a: 1 }, true])('refuses %p, which is not a string', (value) => {
    expect(accepts(text(10), value)).toBe(false)
  })

  test('includes its limits in the JSON Schema', () => {
    expect(z.toJSONSchema(text(7, 1))).toMatchObject({ type: 'string', minLength: 1, maxLength: 7 })
    expect(z.toJSONSchema(text(7))).not.toHaveProperty('minLength')
  })
})
