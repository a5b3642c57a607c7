/** Languages with tables of their own; all others are handled by frequency and punctuation alone. */
export type TableLanguage = 'en' | 'es' | 'fr' | 'de' | 'pt' | 'ja' | 'ko' | 'zh' | 'zh-Hant' | 'hi'

/** Lengths of a readable sentence in UTF-16 units. */
export interface LengthWindow {
  min: number
  target: number
  max: number
  /** Even a sentence with its own full stop is cut above this. */
  cut: number
}

/** How the transcript is written. */
export interface Speech {
  /** A tag `Intl` accepts. */
  tag: string
  language: TableLanguage | null
  /** Words are not parted by spaces. */
  dense: boolean
  lengths: LengthWindow
}

const PLAIN: LengthWindow = { min: 40, target: 130, max: 220, cut: 300 }
const HANGUL: LengthWindow = { min: 24, target: 70, max: 130, cut: 180 }
const DENSE: LengthWindow = { min: 14, target: 42, max: 85, cut: 120 }

const SAMPLE_CHARS = 12_000

const TABLE_LANGUAGES: Record<string, TableLanguage> = {
  en: 'en',
  es: 'es',
  fr: 'fr',
  de: 'de',
  pt: 'pt',
  ja: 'ja',
  ko: 'ko',
  zh: 'zh',
  yue: 'zh',
  cmn: 'zh',
  hi: 'hi',
}

const parseLocale = (language: string): Intl.Locale => {
  try {
    return new Intl.Locale(language).maximize()
  } catch {
    return new Intl.Locale('und')
  }
}

const sampleOf = (texts: string[]): string => {
  const step = Math.max(1, Math.floor(texts.length / 400))
  let sample = ''
  for (let i = 0; i < texts.length && sample.length < SAMPLE_CHARS; i += step) {
    sample += (texts[i] ?? '').slice(0, 200)
  }
  return sample
}

const countOf = (sample: string, pattern: RegExp): number => sample.match(pattern)?.length ?? 0

/** A track can be labelled wrongly; a script that belongs to one of our languages overrules the label. */
const languageOf = (locale: Intl.Locale, share: Record<'kana' | 'han' | 'hangul' | 'devanagari', number>) => {
  const labelled = TABLE_LANGUAGES[locale.language] ?? null
  const chinese = locale.script === 'Hant' || locale.language === 'yue' ? 'zh-Hant' : 'zh'
  if (share.hangul > 0.3) return 'ko'
  if (share.kana > 0.08) return 'ja'
  if (share.han > 0.3) return labelled === 'ja' ? 'ja' : chinese
  // Marathi, Nepali and Sanskrit share the script but not the words.
  if (share.devanagari > 0.3) return ['mr', 'ne', 'sa'].includes(locale.language) ? null : 'hi'
  return labelled === 'zh' ? chinese : labelled
}

/** `language` is the track's BCP-47 tag, `texts` are its cleaned lines. */
export const describeSpeech = (language: string, texts: string[]): Speech => {
  const locale = parseLocale(language)
  const sample = sampleOf(texts)
  const letters = Math.max(1, countOf(sample, /\p{L}/gu))
  const share = {
    kana: countOf(sample, /[\p{sc=Hiragana}\p{sc=Katakana}]/gu) / letters,
    han: countOf(sample, /\p{sc=Han}/gu) / letters,
    hangul: countOf(sample, /\p{sc=Hangul}/gu) / letters,
    devanagari: countOf(sample, /\p{sc=Devanagari}/gu) / letters,
  }
  const unspaced = countOf(sample, /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/gu) / letters
  const found = languageOf(locale, share)
  const eastAsian = share.kana + share.han > 0.5
  const lengths = eastAsian ? DENSE : share.hangul > 0.3 ? HANGUL : PLAIN
  const tag = found ?? (locale.language && locale.language !== 'und' ? locale.language : 'en')
  return { tag, language: found, dense: eastAsian || unspaced > 0.5, lengths }
}
