const ASCII = /^[\0-\x7f]*$/
/** In these scripts, marks are accents. In others, such as Devanagari or the kana, they make another letter. */
const ACCENTED = /([\p{sc=Latin}\p{sc=Greek}])\p{Mn}+/gu
/** Stress marks, and the two dots that most writers of Russian leave out. `й` and `ї` are other letters. */
const STRESSED = /([аеиоуыэюяієѣ])[\u0300\u0301]+/gu
const DOTTED_E = /е\u0308/gu
/** Vowel signs that only careful writers of Arabic and Hebrew set, and the line that stretches an Arabic word. */
const POINTS =
  /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u0652\u0656-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]+/gu
const LETTERS: Record<string, string> = {
  ß: 'ss',
  œ: 'oe',
  æ: 'ae',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ς: 'σ',
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ٱ: 'ا',
}
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu')

/** Returns a lower-case word without its accents. Marks that make another letter stay: カ and ガ differ, and so do Hindi vowels. */
export function stripMarks(word: string): string {
  if (ASCII.test(word)) return word
  return word
    .normalize('NFD')
    .replace(ACCENTED, '$1')
    .replace(STRESSED, '$1')
    .replace(DOTTED_E, 'е')
    .normalize('NFC')
    .replace(POINTS, '')
    .replace(LETTER, (letter) => LETTERS[letter] ?? letter)
}
