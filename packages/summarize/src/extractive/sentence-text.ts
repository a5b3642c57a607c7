const CLOSERS = '"\'”’»›)）」』】》〉\\]'
const ENDED = new RegExp(`[.!?…。！？।॥۔؟։။។።｡‼⁇⁈⁉][${CLOSERS}]*$`, 'u')
const DANGLING = '[\\s,;:、，；：،؛·|/\\\\<>=~_+*#\\-–—]'
// Begins only where a run begins: the pattern would start over at every character of a long run that does not end the text.
const DANGLING_END = new RegExp(`(?<!${DANGLING})${DANGLING}+$`, 'u')
const DANGLING_START = /^[\s,;:.!?。！？、，；：،؛।·|/\\<>=~_+*#\-–—…)\]}»”’]+/u

/** Returns the full stop of the script the text ends in; Thai and Lao have none. */
function stopFor(text: string): string {
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

/** Georgian has capitals in Unicode but does not begin sentences with them; `iPhone` keeps its spelling. */
const FIRST_SMALL_LETTER = /^([^\p{L}\p{N}]*)((?!\p{sc=Georgian})\p{Ll})(?!\p{Lu})/u

export const capitalize = (text: string, tag: string): string =>
  text.replace(FIRST_SMALL_LETTER, (_, before: string, letter: string) => before + letter.toLocaleUpperCase(tag))

/** Trims a spoken sentence, capitalizes it and ends it with a full stop, if its script has them. */
export function presentSentence(spoken: string, tag: string): string {
  const core = spoken.replace(DANGLING_START, '').replace(DANGLING_END, '')
  if (core === '') return ''
  return capitalize(ENDED.test(core) ? core : core + stopFor(core), tag)
}

/** Shows a passage of which nobody knows where its sentences begin and end as a quotation. */
export function presentPassage(spoken: string): string {
  const core = spoken.replace(DANGLING_START, '').replace(DANGLING_END, '')
  return core === '' ? '' : `"... ${core} ..."`
}

/** Returns a key that is the same for texts that differ only in case and punctuation. */
export const sameTextKey = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
