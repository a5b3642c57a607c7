import { measureGrowth } from '@subtext/runtime/testing'
import fc from 'fast-check'
import { createStatementReader, type Statement } from './read-statements.ts'

/** Reads an answer that arrives in pieces of `size` characters. */
function read(answer: string, size = answer.length || 1): Statement[] {
  const reader = createStatementReader()
  const statements: Statement[] = []
  for (let start = 0; start < answer.length; start += size)
    statements.push(...reader.push(answer.slice(start, start + size)))
  return [...statements, ...reader.end()]
}

const short = ({ text, marks }: Statement) =>
  `${text} ${marks.map(({ id, quote }) => (quote ? `${id}=${quote}` : id)).join(',')}`

test.each([
  ['a sentence to a line', 'One. [1]\nTwo. [2, 3]', ['One. 1', 'Two. 2,3']],
  ['sentences in one line', 'One. [1] Two. [2]', ['One. 1', 'Two. 2']],
  ['marks before the full stop', 'One [1]. Two [2]!', ['One. 1', 'Two! 2']],
  ['an ellipsis after marks', 'One [1]... Two [2]?! Three…', ['One... 1', 'Two?! 2', 'Three… ']],
  ['marks after the full stop of other marks', 'One [1]. [2] two!', ['One. 1', 'two! 2']],
  ['several groups', 'One. [1][2] [3] Two. [4]', ['One. 1,2,3', 'Two. 4']],
  ['marks within a sentence', 'One [1] and two. [2]', ['One and two. 1,2']],
  ['ranges', 'One. [1-3; 7–8; 9-2; 10-100]', ['One. 1,2,3,7,8,9,2,10,100']],
  ['quotations', 'One. [1 "as it was said", 2: „wie gesagt“]', ['One. 1=as it was said,2=wie gesagt']],
  ['quotations in other scripts', '一つ。[1「紙の話」]', ['一つ。 1=紙の話']],
  ['closing quotation marks', 'He said “one.” [1] Two. [2]', ['He said “one.” 1', 'Two. 2']],
  ['no marks', 'One.\n\nTwo.', ['One. ', 'Two. ']],
  [
    'brackets that are no marks',
    'One [sic]. [1] [x] [Two](http://a.b) [[3]]. [4',
    ['One [sic]. 1', '[x] [Two](http://a.b) []. [4 3'],
  ],
  ['numbers that no line has', 'One. [1234567890]\nTwo. [1 2 ; 3]', ['One. [1234567890] ', 'Two. 1,2,3']],
  ['lists and emphasis', '1. **One.** [1]\n- `Two.` [2]\n# Three. [3]', ['One. 1', 'Two. 2', 'Three. 3']],
  ['no text at all', '[1]\n [2] \n', []],
])('reads %s, however it arrives', (_, answer, statements) => {
  for (const size of [1, 2, 5, answer.length]) expect(read(answer, size).map(short)).toEqual(statements)
})

test('passes a statement on as soon as it is clear that it has ended', () => {
  const reader = createStatementReader()
  expect(reader.push('One. [1] [2')).toEqual([])
  expect(reader.push(']')).toEqual([])
  expect(reader.push('\n').map(short)).toEqual(['One. 1,2'])
  expect(reader.push('Two. [2] ')).toEqual([])
  expect(reader.push('T').map(short)).toEqual(['Two. 2'])
  expect(reader.push('hree [3]')).toEqual([])
  expect(reader.push('.')).toEqual([])
  expect(reader.push(' Four. [4]').map(short)).toEqual(['Three. 3'])
  expect(reader.end().map(short)).toEqual(['Four. 4'])
})

test('drops a line that is too long, and reads the next one', () => {
  const endless = `${'a '.repeat(2_000)}. [1]`
  for (const size of [7, 5_000])
    expect(read(`One. [1]\n${endless}\nTwo. [2]`, size).map(short)).toEqual(['One. 1', 'Two. 2'])
})

test('reads any text in any pieces without losing a letter', () => {
  const piece = fc.oneof(
    fc.constantFrom('[', ']', '\n', '. ', '[1]', '[2, 3]', '"', '[4 "', '-'),
    // Without `<`, no text is a format tag.
    fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => text.replaceAll('<', '')),
  )
  const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 9 }), (answer, size) => {
      const statements = read(answer, size)
      for (const { marks } of statements) for (const { id } of marks) expect(Number.isSafeInteger(id)).toBe(true)
      expect(statements).toEqual(read(answer))
      const outside = answer.replace(/\[[^[\]\n]*\]/g, '').match(/\p{L}/gu) ?? []
      const kept = statements.flatMap((statement) => statement.text.match(/\p{L}/gu) ?? [])
      let next = 0
      for (const letter of kept) if (letter === outside[next]) next += 1
      expect(next).toBe(outside.length)
    }),
    { numRuns: 200 },
  )
})

test.each([
  ['opening brackets', '['],
  ['marks', 'a.[1]'],
  ['unfinished quotations', '[1 "a'],
  ['numbers', '[1,2,3,4,5,6,7,8,9 '],
  ['spaces', '. '],
])('takes linear time for many %s', async (_, piece) => {
  const work = (size: number) => void read(piece.repeat(Math.ceil(size / piece.length)), 80)
  expect(await measureGrowth(work, { small: 10_000, large: 80_000 })).toBeLessThan(3)
})
