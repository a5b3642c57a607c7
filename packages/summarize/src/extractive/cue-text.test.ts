import { cleanCueText } from './cue-text.ts'

test.each([
  ['>> So what now?', 'So what now?', true],
  ['- We wait.', 'We wait.', true],
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
])('%j is read as %j', (raw, text, turn) => {
  expect(cleanCueText(raw)).toEqual({ text, turn })
})

test('a line of a million signs is read in no time', () => {
  const begun = performance.now()
  for (const sign of ['<', '[', '(', '&lt;', '![', 'a://', '\u0301', ' ']) cleanCueText(sign.repeat(1_000_000))
  expect(performance.now() - begun).toBeLessThan(5_000)
})
