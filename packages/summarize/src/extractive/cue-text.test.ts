import { measureGrowth } from '@subtext/runtime/testing'
import { cleanCueText } from './cue-text.ts'

test.each([
  ['>> So what now?', 'So what now?', true],
  ['- We wait.', 'We wait.', true],
  ['- the museums, the towns, etc... -', '- the museums, the towns, etc... -', false],
  ['[Music] and then ♪', 'and then', false],
  ['(laughs) That is a tale (of two cities).', 'That is a tale (of two cities).', false],
  ['【拍手】こんにちは', 'こんにちは', false],
  ['<i>slanted</i> words', 'slanted words', false],
  ['a < b and b > c', 'a < b and b > c', false],
  ['x <', 'x', false],
  ['> quoted', 'quoted', false],
  ['[here](https://a.example) or https://b.example/c', 'here or', false],
  ['Tom &amp; Jerry&nbsp;run', 'Tom & Jerry run', false],
  ['का\u200dर\u202e', 'का\u200dर', false],
])('cleans %j to %j', (raw, text, isNewSpeaker) => {
  expect(cleanCueText(raw)).toEqual({ text, isNewSpeaker })
})

test.each(['<', '[', '(', '&lt;', '![', 'a://', '\u0301', ' '])(
  'takes time in proportion to the length of many %j',
  async (piece) => {
    const clean = (length: number) => cleanCueText(piece.repeat(length / piece.length))
    expect(await measureGrowth(clean, { small: 2_500, large: 20_000 })).toBeLessThan(3)
    expect(await measureGrowth(clean, { small: 125_000, large: 1_000_000 })).toBeLessThan(3)
  },
)
