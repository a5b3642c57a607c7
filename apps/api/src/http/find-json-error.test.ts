import { fuzzRuns } from '@subtext/runtime/testing'
import fc from 'fast-check'
import { findJsonError } from './find-json-error.ts'

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('findJsonError', () => {
  test.each([
    ['{"a":1,}', 1, 8, 'a name in double quotes'],
    ["{'a':1}", 1, 2, 'a name in double quotes'],
    ['{a:1}', 1, 2, 'a name in double quotes'],
    ['{"a" 1}', 1, 6, '`:`'],
    ['{"a":}', 1, 6, 'a value'],
    ['{"a":\n  undefined}', 2, 3, 'a value'],
    ['{"a":1 "b":2}', 1, 8, '`,` or `}`'],
    ['[1,]', 1, 4, 'a value'],
    ['[1', 1, 3, '`,` or `]`'],
    ['{}{}', 1, 3, 'the end of the text'],
    ['', 1, 1, 'a value'],
    ['{"a":\r\n"b', 2, 3, '`"` at the end of the string'],
    ['["a\nb"]', 1, 4, '`"` at the end of the string'],
    [String.raw`["\x41"]`, 1, 3, 'an escape sequence that JSON has'],
    ['[01]', 1, 3, '`,` or `]`'],
    ['[1.]', 1, 3, '`,` or `]`'],
    ['[-]', 1, 2, 'a value'],
    ['[nul]', 1, 2, 'a value'],
    ['{"a":"日本" x}', 1, 11, '`,` or `}`'],
  ])('finds in %j the mistake in line %i, column %i: expected %s', (text, line, column, expected) => {
    expect(findJsonError(text)).toEqual({ line, column, expected })
  })

  test('finds a mistake exactly where JSON.parse does not accept a text', () => {
    const cut = fc
      .tuple(
        fc.json({ maxDepth: 4 }),
        fc.nat(60),
        fc.nat(3),
        fc.string({ unit: fc.constantFrom(...'{}[]",:\\ntu0.e-\n '), maxLength: 2 }),
      )
      .map(([text, at, removed, added]) => text.slice(0, at) + added + text.slice(at + removed))
    fc.assert(
      fc.property(fc.oneof(fc.json(), cut, cut, fc.string()), (text) => {
        expect([text, findJsonError(text) === null]).toEqual([text, isJson(text)])
      }),
      { numRuns: fuzzRuns() },
    )
  })
})
