import { JOINER, keepPhrases } from './phrases.ts'

test.each([
  ['ja', '東京の電車が遅れない', ['東京の', '電車が', '遅れない']],
  ['zh', '一条运河养活了半个中国', ['一条', '运河', '养活了', '半个', '中国']],
])('keeps the phrases of a text in %s together', (language, text, phrases) => {
  const kept = keepPhrases(text, language, 7)
  expect(kept.replaceAll(JOINER, '')).toBe(text)
  expect(kept).toBe(phrases.map((phrase) => [...phrase].join(JOINER)).join(''))
})

test('keeps the words of Korean together', () => {
  expect(keepPhrases('김치의 맛은 5도', 'ko', 7)).toBe(
    ['김치의', '맛은', '5도'].map((word) => [...word].join(JOINER)).join(' '),
  )
})

test('joins no more letters than fit on a line', () => {
  expect(keepPhrases('가나다라마바사아', 'ko', 7)).toBe('가나다라마바사아')
  expect(keepPhrases('ありがとうございました', 'ja', 3)).not.toMatch(new RegExp(`(?:.${JOINER}){3}`, 'u'))
})

test.each(['en', 'th', 'ar'])('leaves a text in %s as it is', (language) => {
  const text = 'Why 東京 and 김치의 differ'
  expect(keepPhrases(text, language, 7)).toBe(text)
})
