/** Returns the language of a text (ISO 639-1), or null if it cannot be detected. */
export type DetectLanguage = (text: string) => string | null

const LETTER_OF_NAMES = /\p{sc=Latin}/u
const WORD = /[\p{L}\p{M}]+/gu
const MIN_WORDS = 2
const HAN = /\p{sc=Han}/u
/** Letters that distinguish Japanese and Korean from Chinese. */
const KANA_OR_HANGUL = /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u

/** Returns whether a text has Han characters and no letters that would tell Chinese from Japanese and Korean. */
export const isOnlyHan = (text: string): boolean => HAN.test(text) && !KANA_OR_HANGUL.test(text)

/** Loads the detector on first use, because it takes 30 MB and only processes that answer questions need it. */
export async function loadLanguageDetector(): Promise<DetectLanguage> {
  const { eld } = await import('eld/extrasmall')
  return (text) => {
    if (isOnlyHan(text)) return null
    // One word in Latin letters is as likely a name.
    if (LETTER_OF_NAMES.test(text) && (text.match(WORD)?.length ?? 0) < MIN_WORDS) return null
    const found = eld.detect(text)
    return found.isReliable() && found.language !== '' ? found.language : null
  }
}
