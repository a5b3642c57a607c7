import { presentSentence, sameTextKey } from './sentence-text.ts'

test.each([
  ['en', 'so it begins,', 'So it begins.'],
  ['en', 'Really?!', 'Really?!'],
  ['en', 'he said "stop."', 'He said "stop."'],
  ['en', 'iPhone users pay more', 'iPhone users pay more.'],
  ['en', '— , and then', 'And then.'],
  ['es', '¿cómo se hace?', '¿Cómo se hace?'],
  ['tr', 'istanbul güzel', 'İstanbul güzel.'],
  ['ja', 'パンを焼きます', 'パンを焼きます。'],
  ['zh', '烤面包，', '烤面包。'],
  ['hi', 'रोटी अच्छी है', 'रोटी अच्छी है।'],
  ['ko', '빵을 굽습니다', '빵을 굽습니다.'],
  ['ka', 'გამარჯობა', 'გამარჯობა.'],
  ['th', 'สวัสดีครับ', 'สวัสดีครับ'],
  ['en', ' ...,; ', ''],
])('%s: presents %j as %j', (tag, spoken, shown) => {
  expect(presentSentence(spoken, tag)).toBe(shown)
})

test('gives texts that differ only in case and punctuation the same key', () => {
  expect(sameTextKey('La, la – LA!')).toBe(sameTextKey('la la la'))
  expect(sameTextKey('कि')).not.toBe(sameTextKey('की'))
})
