import { measureGrowth } from '@subtext/runtime/testing'
import { createTermFinder } from './terms.ts'

const fold = (language: string, text: string) => createTermFinder(language)(text).join(' ')

test.each([
  ['en', 'Mapping the VALLEYS', 'map the vallei'],
  ['en-GB', 'ﬁve ｗｉｄｅ', 'five wide'],
  ['de', 'Bücher, Häuser', 'buch haus'],
  ['tr', 'ISIYI İSTANBUL', fold('tr', 'ısıyı istanbul')],
  ['ja', '紙の繊維ABC', '紙の の繊 繊維 ABC'.toLowerCase()],
  ['ko', '김치는 왜', '김치 치는 왜'],
  ['zh-Hans', '二十四', '二十 十四'],
  ['pl', 'mapy', 'mapy'],
  ['not a tag', 'Words', 'words'],
])('folds %s: %s', (language, text, folded) => {
  expect(fold(language, text)).toBe(folded)
})

test('tells a dotless Turkish letter from a dotted one only in Turkish', () => {
  expect(fold('tr', 'ISI')).toBe(fold('tr', 'ısı'))
  expect(fold('en', 'ISI')).toBe(fold('en', 'isi'))
})

test.each([
  'constructor __proto__ toString hasOwnProperty',
  'a'.repeat(10_000),
  "' \u0000 \uD800 🙂 ‮",
  '漢'.repeat(5_000),
])('takes any text: %j', (text) => {
  for (const language of ['en', 'de', 'tr', 'ar', 'hi', 'el', 'ru', 'ja'])
    expect(Array.isArray(createTermFinder(language)(text))).toBe(true)
})

test.each(['en', 'de', 'el', 'tr', 'hi', 'ar', 'fi'])('takes linear time for hostile text in %s', async (language) => {
  const find = (size: number) => {
    createTermFinder(language)('ss'.repeat(size))
    createTermFinder(language)('eyeing '.repeat(size / 7))
    createTermFinder(language)('漢'.repeat(size))
  }
  expect(await measureGrowth(find, { small: 10_000, large: 80_000 })).toBeLessThan(3)
})
