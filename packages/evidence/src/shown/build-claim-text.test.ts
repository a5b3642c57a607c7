import { measureGrowth } from '@subtext/runtime/testing'
import { buildClaimText } from './build-claim-text.ts'

test.each([
  ['Visit www[0:01].evil.example now', 'Visit … now'],
  ['Visit https:[0:01]//evil.example now', 'Visit https: … now'],
  ['Visit evil[0:01].example/x now', 'Visit … now'],
  ['It begins 12 [0:01] :34 here', 'It begins here'],
  ['It begins 12 [0:01[0:02]] :34[0:03] here', 'It begins here'],
  ['a <[0:01]!-- b', 'a ‹!-- b'],
  ['a <[0:01]?php b', 'a ‹?php b'],
  ['Run javascript[0:01]:alert(1) now', 'Run … now'],
  ['[x][0:01]: foo', '[x] : foo'],
  ['[x][0:01](y)', '[x]'],
  ['Visit www.evil.example now [0:01]', 'Visit … now'],
  ['Bees dance (at 12:34), then rest', 'Bees dance, then rest'],
  ['Bees <b>dance</b>', 'Bees ‹b›dance‹/b›'],
])('forms no new address, tag or time when it removes something from %j', (text, shown) => {
  expect(buildClaimText(text, '')).toBe(shown)
  expect(buildClaimText(shown, '')).toBe(shown)
})

test('returns nothing for a text that needs too many rounds', () => {
  const nested = (level: number): string => (level === 0 ? '12:34' : `12 [${nested(level - 1)}] :34`)
  expect(buildClaimText(`Bees ${nested(3)} dance`, '')).toBe('Bees dance')
  expect(buildClaimText(`Bees ${nested(30)} dance`, '')).not.toContain(':34')
})

test.each(['1', '1:', '12:34 ', '[0:01]', '12 [0:01] :34 ', 'www[0:01].', '<[0:01]', '(at 1 m 2 s', '1 : ', "1'"])(
  'takes time in proportion to the length of many %j',
  async (piece) => {
    const evidence = 'said 12 and 34 '.repeat(400)
    const build = (length: number) => buildClaimText(piece.repeat(length / piece.length), evidence)
    expect(await measureGrowth(build, { small: 5_000, large: 40_000 })).toBeLessThan(3)
  },
)

test.each([
  ['10:30 repeated', () => '10:30 '],
  ['different times', (index: number) => `${index % 1_000}:${10 + (Math.floor(index / 1_000) % 50)} `],
  [
    'different times that begin alike',
    (index: number) => `12:${10 + (index % 50)}:${10 + (Math.floor(index / 50) % 50)} `,
  ],
])('takes time in proportion to the length of text and evidence together, for %s', async (_, pieceAt) => {
  const build = (count: number) => {
    const text = Array.from({ length: count }, (_, index) => pieceAt(index)).join('')
    buildClaimText(text, '12 '.repeat(text.length / 3))
  }
  expect(await measureGrowth(build, { small: 250, large: 2_000 })).toBeLessThan(3)
})

test('takes time in proportion to the number of different times', async () => {
  const evidence = 'said 12 and 34 '.repeat(400)
  const build = (count: number) => {
    const times = Array.from({ length: count }, (_, index) => `${index % 997}:${10 + (index % 50)}`)
    buildClaimText(times.join(' '), evidence)
  }
  expect(await measureGrowth(build, { small: 100, large: 800 })).toBeLessThan(3)
})
