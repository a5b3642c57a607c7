import fc from 'fast-check'
import { JsonReader } from './json-reader.ts'

const skip = (text: string): void => {
  const reader = new JsonReader(text, [])
  reader.skipValue()
  reader.expectEnd()
}

const isJson = (text: string, read: (text: string) => unknown): boolean => {
  try {
    read(text)
    return true
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError)
    return false
  }
}

const SIGNS = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '\\',
  '\\u0041',
  '\\n',
  '\\x',
  '\u0001',
  '-',
  '.',
  'e',
  '0',
  '12',
  'null',
]

/** JSON in which up to three places were overwritten. */
const nearlyJson = fc
  .record({
    value: fc.jsonValue({ maxDepth: 3 }),
    indent: fc.constantFrom(undefined, 1, '\t'),
    changes: fc.array(fc.record({ at: fc.nat(), length: fc.nat(1), sign: fc.constantFrom(...SIGNS) }), {
      maxLength: 3,
    }),
  })
  .map(({ value, indent, changes }) =>
    changes.reduce(
      (text, { at, length, sign }) => {
        const start = at % (text.length + 1)
        return text.slice(0, start) + sign + text.slice(start + length)
      },
      JSON.stringify(value, null, indent),
    ),
  )

test('accepts exactly what JSON.parse accepts', () => {
  fc.assert(fc.property(nearlyJson, (text) => expect(isJson(text, skip)).toBe(isJson(text, JSON.parse))))
})

test.each(['0', '-0', '7', '-12.50', '1e3', '2E-7', '123456789012345', '123456789012345678', '1e400', '0.1'])(
  'reads the number %s as JSON.parse does',
  (text) => {
    expect(new JsonReader(text, []).readNumber()).toBe(JSON.parse(text))
  },
)

test.each(['01', '1.', '.5', '+1', '-', '1e', '0x1', 'Infinity', 'NaN'])('refuses the number %s', (text) => {
  expect(() => skip(text)).toThrow(SyntaxError)
})

test('reads strings with escapes', () => {
  for (const text of ['', 'plain', '\n', 'a "quote"', '\\', 'π \u0000 \ud83d'])
    expect(new JsonReader(JSON.stringify(text), []).readString()).toBe(text)
})

test('names the members that are read, however they are written, and no others', () => {
  const reader = new JsonReader('{"wanted":1,"\\u0077anted":2,"wanteD":3,"":4,"other":{"wanted":5}}', ['wanted'])
  const names: string[] = []
  reader.readObject((name) => {
    names.push(name)
    reader.skipValue()
  })
  expect(names).toEqual(['wanted', 'wanted', '', '', ''])
})
