// Scripts that are written without spaces between words, with their punctuation and full-width forms.
const CJK = '[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Bopo}\\uff01-\\uff60\\uffe0-\\uffe6]'
const ENDS_CJK = new RegExp(`${CJK}$`, 'u')
const FIRST_BEYOND_ASCII = 0x80
const STARTS_CJK = new RegExp(`^${CJK}`, 'u')

const UNFOLDED = /[\p{Cc}\p{Zl}\p{Zp}]| {2}/u

/** Returns text as one line of well-formed Unicode: line breaks, control characters and runs of spaces become one space. */
export const foldText = (text: string): string => {
  const line = text.toWellFormed()
  // Most lines need no change, and testing is cheaper than replacing.
  return (UNFOLDED.test(line) ? line.replace(/[\p{Cc}\p{Zl}\p{Zp} ]+/gu, ' ') : line).trim()
}

/** Returns what separates two parts of running text: a space, or nothing between Chinese or Japanese characters. */
export const spaceBetween = (left: string, right: string): string => {
  if (left === '' || right === '') return ''
  if (left.charCodeAt(left.length - 1) < FIRST_BEYOND_ASCII) return ' '
  return ENDS_CJK.test(left.slice(-2)) && STARTS_CJK.test(right.slice(0, 2)) ? '' : ' '
}

/** Folds the texts and joins them to one running text. */
export const joinTexts = (texts: string[]): string =>
  texts.map(foldText).reduce((joined, text) => joined + spaceBetween(joined, text) + text, '')

/** Returns the nearest index at or before `at` that does not split a surrogate pair. */
export const alignToPair = (text: string, at: number): number => {
  const isLow = (text.charCodeAt(at) & 0xfc00) === 0xdc00
  const isHigh = (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
  return isLow && isHigh ? at - 1 : at
}
