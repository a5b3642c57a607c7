const CLOSERS = '"\'”’»›)）」』】》〉\\]'
const ENDED = new RegExp(`[.!?…。！？।॥۔؟։။។።｡‼⁇⁈⁉][${CLOSERS}]*$`, 'u')
const DANGLING_END = /[\s,;:、，；：،؛·|/\\<>=~_+*#\-–—]+$/u
const DANGLING_START = /^[\s,;:.!?。！？、，；：،؛।·|/\\<>=~_+*#\-–—…)\]}»”’]+/u

/** Full stop of the script the text ends in; Thai and Lao write none. */
const stopFor = (text: string): string => {
  const last = text.match(/\p{L}(?=[^\p{L}]*$)/u)?.[0] ?? ''
  if (/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]/u.test(last)) return '。'
  if (/[\p{sc=Devanagari}\p{sc=Bengali}]/u.test(last)) return '।'
  if (/[\p{sc=Thai}\p{sc=Lao}]/u.test(last)) return ''
  if (/\p{sc=Myanmar}/u.test(last)) return '။'
  if (/\p{sc=Khmer}/u.test(last)) return '។'
  if (/\p{sc=Ethiopic}/u.test(last)) return '።'
  if (/\p{sc=Armenian}/u.test(last)) return '։'
  return '.'
}

/** Georgian has capitals in Unicode but does not begin sentences with them; `iPhone` keeps its own spelling. */
const FIRST_SMALL_LETTER = /^([^\p{L}\p{N}]*)((?!\p{sc=Georgian})\p{Ll})(?!\p{Lu})/u

export const capitalise = (text: string, tag: string): string =>
  text.replace(FIRST_SMALL_LETTER, (_, before: string, letter: string) => before + letter.toLocaleUpperCase(tag))

/** The words as spoken, made presentable: trimmed, begun with a capital and ended with a stop where the script has them. */
export const presentSentence = (spoken: string, tag: string): string => {
  const core = spoken.replace(DANGLING_START, '').replace(DANGLING_END, '')
  if (core === '') return ''
  return capitalise(ENDED.test(core) ? core : core + stopFor(core), tag)
}

/** Two texts that read the same have the same key. */
export const sameTextKey = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
