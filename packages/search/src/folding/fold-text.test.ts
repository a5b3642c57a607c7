import { measureGrowth } from '@subtext/runtime/testing'
import { createTextFolder } from './fold-text.ts'

/** The words of a text as it is folded, each by its first form. */
function fold(language: string, text: string): string {
  const words: string[] = []
  createTextFolder(language).fold(text, ({ forms }) => words.push(forms[0] ?? ''))
  return words.join(' ')
}

/** The words of a text as it is written. */
function places(language: string, text: string): string[] {
  const found: string[] = []
  createTextFolder(language).fold(text, (_, start, end) => found.push(text.slice(start, end)))
  return found
}

test.each([
  ['en', 'Mapping the VALLEYS', 'map the vallei'],
  ['en-GB', 'ﬁve ｗｉｄｅ', 'five wide'],
  ['en', '5㎏ ½', '5kg 1 2'],
  ['de', 'Bücher, Häuser', 'buch haus'],
  ['fr', 'Cafés à Noël', 'caf a noel'],
  ['tr', 'ISIYI İSTANBUL', fold('tr', 'ısıyı istanbul')],
  ['ja', '紙の繊維ABC', '紙 の 繊 維 abc'],
  ['ja', 'ｶﾞｲﾄﾞ', 'ガ イ ド'],
  ['ko', '김치는 왜', '김 치 는 왜'],
  ['ko', '김치'.normalize('NFD'), '김 치'],
  ['zh-Hans', '二十四', '二 十 四'],
  ['th', 'กิน', 'กิ น'],
  ['ar', 'كِتَابٌ', fold('ar', 'كتاب')],
  ['pl', 'mapy', 'mapy'],
  ['ru', 'ещё', fold('ru', 'еще')],
  ['not a tag', 'Words', 'words'],
])('folds %s: %s', (language, text, folded) => {
  expect(fold(language, text)).toBe(folded)
})

test.each([
  ['ja', 'カキ', 'ガキ'],
  ['ja', 'か', 'が'],
  ['ja', 'ﾊ', 'ﾊﾟ'],
  ['hi', 'कि', 'की'],
  ['hi', 'कल', 'काल'],
  ['ru', 'йод', 'иод'],
  ['uk', 'її', 'іі'],
])('keeps letters of %s apart that only a mark tells apart: %s, %s', (language, one, other) => {
  expect(fold(language, one)).not.toBe(fold(language, other))
})

test.each([
  ['es', 'canción', 'cancion'],
  ['pt', 'ação', 'acao'],
  ['pt', 'corações', 'coracoes'],
  ['fr', 'été', 'ete'],
  ['fr', 'mangée', 'mangee'],
  ['de', 'über', 'uber'],
  ['it', 'perché', 'perche'],
  ['el', 'σοφός', 'σοφος'],
  ['hu', 'kétséges', 'ketseges'],
])('finds a word of %s by its letters without accents: %s, %s', (language, word, plain) => {
  const formsOf = (text: string) => {
    const forms: string[] = []
    createTextFolder(language).fold(text, (folded) => forms.push(...folded.forms))
    return forms
  }
  const forms = formsOf(word)
  expect(formsOf(plain).some((form) => forms.includes(form))).toBe(true)
})

test('tells a dotless Turkish letter from a dotted one only in Turkish', () => {
  expect(fold('tr', 'ISI')).toBe(fold('tr', 'ısı'))
  expect(fold('tr', 'ısı')).not.toBe(fold('tr', 'isi'))
  expect(fold('en', 'ISI')).toBe(fold('en', 'isi'))
})

test('says where each word is written', () => {
  expect(places('en', ' “Cafe\u0301s”, 5㎏!')).toEqual(['Cafe\u0301s', '5㎏'])
  expect(places('ja', 'ABC紙ｶﾞ')).toEqual(['ABC', '紙', 'ｶﾞ'])
})

test.each([
  'constructor __proto__ toString hasOwnProperty',
  'a'.repeat(10_000),
  "' \u0000 \uD800 🙂 ‮",
  '漢'.repeat(5_000),
  '\u0301\u0301 \uFF9E',
])('takes any text: %j', (text) => {
  for (const language of ['en', 'de', 'tr', 'ar', 'hi', 'el', 'ru', 'ja']) {
    for (const word of fold(language, text).split(' ')) expect(word.length).toBeLessThanOrEqual(200)
  }
})

test.each(['en', 'de', 'el', 'tr', 'hi', 'ar', 'fi'])('takes linear time for hostile text in %s', async (language) => {
  const find = (size: number) => {
    fold(language, 'ss'.repeat(size))
    fold(language, 'eyeing '.repeat(size / 7))
    fold(language, '漢'.repeat(size))
    fold(language, `e${'\u0301'.repeat(size)}`)
  }
  expect(await measureGrowth(find, { small: 10_000, large: 80_000 })).toBeLessThan(3)
})
