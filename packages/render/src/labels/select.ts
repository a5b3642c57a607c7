import { ARABIC, CHINESE, HINDI, JAPANESE, KOREAN, TRADITIONAL_CHINESE } from './eastern.ts'
import type { Labels } from './labels.ts'
import { ENGLISH, FRENCH, GERMAN, PORTUGUESE, SPANISH } from './western.ts'

const LABELS = {
  en: ENGLISH,
  es: SPANISH,
  fr: FRENCH,
  de: GERMAN,
  pt: PORTUGUESE,
  ja: JAPANESE,
  ko: KOREAN,
  zh: CHINESE,
  'zh-Hant': TRADITIONAL_CHINESE,
  hi: HINDI,
  ar: ARABIC,
} satisfies Record<string, Labels>

const isLabelled = (key: string): key is keyof typeof LABELS => Object.hasOwn(LABELS, key)

/** Cantonese and Mandarin have tags of their own. */
const WRITTEN_AS: Record<string, string> = { cmn: 'zh', yue: 'zh' }

/** Returns the labels in a language, or null if there is no translation. `tag`: BCP-47. */
export function findLabels(tag: string): Labels | null {
  try {
    const locale = new Intl.Locale(tag)
    const language = WRITTEN_AS[locale.language] ?? locale.language
    const key = language === 'zh' && locale.maximize().script === 'Hant' ? 'zh-Hant' : language
    return isLabelled(key) ? LABELS[key] : null
  } catch {
    return null
  }
}

/** Returns the labels in a language, in English if there is no translation. `tag`: BCP-47. */
export const selectLabels = (tag: string): Labels => findLabels(tag) ?? ENGLISH
