import { isSameLanguage, scriptOf } from '@subtext/captions'

/** Returns the language of a text (ISO 639-1), or null if it cannot be detected. */
export type DetectLanguage = (text: string) => string | null

const LETTER_OF_NAMES = /\p{sc=Latin}/u
const WORD = /[\p{L}\p{M}]+/gu
const MIN_WORDS = 2
const HAN = /\p{sc=Han}/u
/** Letters that distinguish Japanese and Korean from Chinese. */
const KANA_OR_HANGUL = /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u

/** Loads the detector on first use, because it takes 30 MB and only processes that answer questions need it. */
export async function loadLanguageDetector(): Promise<DetectLanguage> {
  const { eld } = await import('eld/extrasmall')
  return (text) => {
    if (HAN.test(text) && !KANA_OR_HANGUL.test(text)) return null
    // One word in Latin letters is as likely a name.
    if (LETTER_OF_NAMES.test(text) && (text.match(WORD)?.length ?? 0) < MIN_WORDS) return null
    const found = eld.detect(text)
    return found.isReliable() && found.language !== '' ? found.language : null
  }
}

export interface Asked {
  question: string
  /** The questions before it, the oldest first. */
  earlier: string[]
  /** Of the transcript, BCP-47. */
  trackLanguage: string
}

const HAN_SCRIPTS = new Set(['Jpan', 'Hans', 'Hant'])

/**
 * Returns the language (BCP-47) in which a question is answered: its own, or else that of the questions before it, or else
 * that of the transcript.
 */
export function selectAnswerLanguage({ question, earlier, trackLanguage }: Asked, detect: DetectLanguage): string {
  const isHan = HAN.test(question) && !KANA_OR_HANGUL.test(question)
  if (isHan) return HAN_SCRIPTS.has(scriptOf(trackLanguage) ?? '') ? trackLanguage : 'zh'
  const detected = detect(question) ?? detect([...earlier, question].join(' '))
  return detected === null || isSameLanguage(detected, trackLanguage) ? trackLanguage : detected
}
