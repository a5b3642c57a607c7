import { inBatches, inPieces } from './in-pieces.ts'
import { collect } from './sample-result.ts'

async function* from<Item>(...items: Item[]): AsyncGenerator<Item> {
  yield* items
}

describe('inPieces', () => {
  test('gathers small texts into one piece and gives none for none', async () => {
    expect(await collect(inPieces(from('a', '', 'b')))).toEqual(['ab'])
    expect(await collect(inPieces(from('')))).toEqual([])
  })

  test('cuts large texts without parting a surrogate pair', async () => {
    const text = `a${'😀'.repeat(40_000)}`
    const pieces = await collect(inPieces(from(text, 'end')))
    expect(pieces.join('')).toBe(`${text}end`)
    expect(pieces.length).toBe(3)
    for (const piece of pieces) {
      expect(piece.isWellFormed()).toBe(true)
      expect(piece.length).toBeLessThanOrEqual(32_768)
    }
  })

  test('lets others run between pieces', async () => {
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

  test('ends its source when the reader stops', async () => {
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

test('inBatches parts what is too large', async () => {
  const items = Array.from({ length: 601 }, (_, index) => index)
  const batches: number[][] = []
  for await (const batch of inBatches(from([-1], items, []))) batches.push(batch)
  expect(batches.map((batch) => batch.length)).toEqual([1, 200, 200, 200, 1, 0])
  expect(batches.flat()).toEqual([-1, ...items])
})
