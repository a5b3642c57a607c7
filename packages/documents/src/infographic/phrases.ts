/** Joins letters between which the template breaks no line. */
export const JOINER = '\u2060'

const HANGUL_WORD = /[\p{sc=Hangul}\p{N}]{2,}/gu
/** Letters of scripts without spaces, between which a line may otherwise break anywhere. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]/u
/** Letters that belong to the word before them: Japanese particles and endings, Chinese particles and measure words. */
const FOLLOWS: Record<string, RegExp> = {
  ja: /^[\p{sc=Hiragana}ー]+$/u,
  zh: /^[的了着过们吗呢吧个些]$/u,
}

/**
 * Keeps the words of Korean, and the phrases of Japanese and Chinese, together on a line where they have at most `max` letters.
 * Other texts are left unchanged. `language`: ISO 639.
 */
export function keepPhrases(text: string, language: string, max: number): string {
  if (language === 'ko') {
    return text.replace(HANGUL_WORD, (word) => (word.length > max ? word : [...word].join(JOINER)))
  }
  const follows = FOLLOWS[language]
  return follows ? joinPhrases(text, { language, follows, max }) : text
}

function joinPhrases(
  text: string,
  { language, follows, max }: { language: string; follows: RegExp; max: number },
): string {
  let written = ''
  let letters = 0
  for (const { segment } of new Intl.Segmenter(language, { granularity: 'word' }).segment(text)) {
    const word = [...segment]
    // Punctuation and Latin letters have rules of their own.
    if (!word.every((letter) => UNSPACED.test(letter)) || word.length > max) {
      written += segment
      letters = 0
      continue
    }
    const isPart = letters > 0 && letters + word.length <= max && follows.test(segment)
    written += (isPart ? JOINER : '') + word.join(JOINER)
    letters = isPart ? letters + word.length : word.length
  }
  return written
}
