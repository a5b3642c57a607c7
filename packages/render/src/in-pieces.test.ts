import { inBatches, inPieces } from './in-pieces.ts'
import { collect } from './testing/sample-result.ts'

async function* from<Item>(...items: Item[]): AsyncGenerator<Item> {
  yield* items
}

const collectAll = async <Item>(source: AsyncIterable<Item>): Promise<Item[]> => {
  const all: Item[] = []
  for await (const item of source) all.push(item)
  return all
}

describe('inPieces', () => {
  test('joins small texts into one piece, and yields none for no text', async () => {
    expect(await collect(inPieces(from('a', '', 'b')))).toEqual(['ab'])
    expect(await collect(inPieces(from('')))).toEqual([])
  })

  test('divides large texts without splitting a surrogate pair', async () => {
    const text = `a${'😀'.repeat(40_000)}`
    const pieces = await collect(inPieces(from(text, 'end')))
    expect(pieces.join('')).toBe(`${text}end`)
    expect(pieces.length).toBe(3)
    for (const piece of pieces) {
      expect(piece.isWellFormed()).toBe(true)
      expect(piece.length).toBeLessThanOrEqual(32_768)
    }
  })

  test('lets the event loop run between pieces', async () => {
    let turns = 0
    const count = () => {
      turns++
      timer = setImmediate(count)
    }
    let timer = setImmediate(count)
    const pieces = await collect(inPieces(from('x'.repeat(500_000))))
    clearImmediate(timer)
    expect(turns).toBeGreaterThanOrEqual(pieces.length - 2)
  })

  test('closes its source when the reader stops', async () => {
    let ended = false
    async function* source() {
      try {
        for (;;) yield 'x'.repeat(20_000)
      } finally {
        ended = true
      }
    }
    for await (const _ of inPieces(source())) break
    expect(ended).toBe(true)
  })
})

describe('inBatches', () => {
  const cues = (count: number, text = '') =>
    Array.from({ length: count }, (_, startMs) => ({ startMs, durationMs: 1, text }))

  test('divides parts with too many or too long cues', async () => {
    const parts = [cues(1), cues(601), [], cues(5, 'x'.repeat(20_000)), cues(1, 'x'.repeat(100_000)), cues(200)]
    const batches = await collectAll(inBatches(from(...parts)))
    expect(batches.map((batch) => batch.length)).toEqual([1, 200, 200, 200, 1, 2, 2, 1, 1, 200])
    expect(batches.flat()).toEqual(parts.flat())
  })

  test('lets the event loop run between the batches of a part', async () => {
    let turns = 0
    const count = () => {
      turns++
      immediate = setImmediate(count)
    }
    let immediate = setImmediate(count)
    const batches = await collectAll(inBatches(from(cues(2_000))))
    clearImmediate(immediate)
    expect(turns).toBeGreaterThanOrEqual(batches.length - 2)
  })
})
