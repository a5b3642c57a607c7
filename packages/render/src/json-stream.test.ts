import { anyCharacter } from '@subtext/runtime/testing'
import fc from 'fast-check'
import { streamArray, streamJson, streamString, writeJson } from './json-stream.ts'
import { collect } from './testing/sample-result.ts'

async function* stream<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items
}

const write = async (value: unknown): Promise<string> => (await collect(writeJson(value))).join('')

describe('writeJson', () => {
  test('writes a value without streams as JSON.stringify does, in one piece', async () => {
    const value = { text: 'a "b"', list: [1, null, undefined], absent: undefined, at: new Date(0) }
    expect(await collect(writeJson(value))).toEqual([JSON.stringify(value)])
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (json) => {
        expect(JSON.parse(await write(json))).toEqual(JSON.parse(JSON.stringify(json)))
      }),
    )
  })

  test('keeps the order of fields and leaves out those that are undefined', async () => {
    const value = { first: 1, items: streamArray(stream([[1, 2], [], [3]])), absent: undefined, last: { z: 1, a: 2 } }
    expect(await write(value)).toBe('{"first":1,"items":[1,2,3],"last":{"z":1,"a":2}}')
  })

  test('writes streams at any depth', async () => {
    const value = {
      data: streamJson(stream(['{"a"', ':1}'])),
      list: [0, { text: streamString(stream(['one ', 'two'])) }, undefined],
      results: streamArray(stream([streamJson(stream(['{}'])), [1], streamJson(stream(['[', ']'])), ['x', 2]])),
    }
    expect(await write(value)).toBe('{"data":{"a":1},"list":[0,{"text":"one two"},null],"results":[{},1,[],"x",2]}')
  })

  test('writes streams that yield nothing as an empty array and an empty string', async () => {
    expect(await write([streamArray(stream([])), streamArray(stream([[]])), streamString(stream([]))])).toBe(
      '[[],[],""]',
    )
  })

  test('refuses a stream within a batch', async () => {
    const batch = [{ text: streamString(stream(['x'])) }]
    await expect(write({ items: streamArray(stream([batch])) })).rejects.toThrow(/must not contain streams/)
  })

  test('escapes what would end a line of a script', async () => {
    const text = 'a\u2028b\u2029'
    const escaped = '"a\\u2028b\\u2029"'
    expect(await write([text, streamString(stream([text])), streamArray(stream([[text]]))])).toBe(
      `[${escaped},${escaped},[${escaped}]]`,
    )
  })

  test('writes a string that is cut anywhere, even within a character, as one string', async () => {
    const parts = fc.array(fc.string({ unit: anyCharacter }))
    await fc.assert(
      fc.asyncProperty(parts, fc.nat(), async (texts, at) => {
        const whole = texts.join('')
        const cut = at % (whole.length + 1)
        const json = await write(streamString(stream([whole.slice(0, cut), whole.slice(cut)])))
        expect(JSON.parse(json)).toBe(whole)
      }),
    )
  })

  test('reads a stream only as far as its own reader does, and closes it', async () => {
    let read = 0
    let closed = false
    async function* source() {
      try {
        for (;;) yield [++read]
      } finally {
        closed = true
      }
    }
    for await (const piece of writeJson({ items: streamArray(source()) })) if (piece.endsWith('2')) break
    expect([read, closed]).toEqual([2, true])
  })
})
