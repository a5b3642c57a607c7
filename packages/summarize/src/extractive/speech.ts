/** Languages with word lists; all others are handled by frequency and punctuation alone. */
export type TableLanguage = 'en' | 'es' | 'fr' | 'de' | 'pt' | 'ja' | 'ko' | 'zh' | 'zh-Hant' | 'hi'

/** Lengths of a readable sentence in UTF-16 code units. */
export interface LengthWindow {
  min: number
  target: number
  max: number
  /** Above this length even a sentence with a full stop is cut. */
  cut: number
}

/** The language and script of a transcript. */
export interface Speech {
  /** A tag `Intl` accepts. */
  tag: string
  language: TableLanguage | null
  /** Whether words are not separated by spaces. */
  isUnspaced: boolean
  lengths: LengthWindow
}

const PLAIN: LengthWindow = { min: 40, target: 130, max: 220, cut: 300 }
const HANGUL: LengthWindow = { min: 24, target: 70, max: 130, cut: 180 }
const EAST_ASIAN: LengthWindow = { min: 14, target: 42, max: 85, cut: 120 }

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

function sampleOf(texts: string[]): string {
  const step = Math.max(1, Math.floor(texts.length / 400))
  let sample = ''
  for (let i = 0; i < texts.length && sample.length < SAMPLE_CHARS; i += step) {
    sample += (texts[i] ?? '').slice(0, 200)
  }
  return sample
}

const countOf = (sample: string, pattern: RegExp): number => sample.match(pattern)?.length ?? 0

/** Finds the language. A track can be mislabeled, so a script that belongs to one of our languages overrules the label. */
function findLanguage(
  locale: Intl.Locale,
  share: Record<'kana' | 'han' | 'hangul' | 'devanagari', number>,
): TableLanguage | null {
  const labeled = TABLE_LANGUAGES[locale.language] ?? null
  const chinese = locale.script === 'Hant' || locale.language === 'yue' ? 'zh-Hant' : 'zh'
  if (share.hangul > 0.3) return 'ko'
  if (share.kana > 0.08) return 'ja'
  if (share.han > 0.3) return labeled === 'ja' ? 'ja' : chinese
  // Marathi, Nepali and Sanskrit share the script but not the vocabulary.
  if (share.devanagari > 0.3) return ['mr', 'ne', 'sa'].includes(locale.language) ? null : 'hi'
  return labeled === 'zh' ? chinese : labeled
}

/** Detects the language and script of a transcript. `language`: the track's BCP-47 tag; `texts`: its cleaned lines. */
export function describeSpeech(language: string, texts: string[]): Speech {
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
  const found = findLanguage(locale, share)
  const isEastAsian = share.kana + share.han > 0.5
  const lengths = isEastAsian ? EAST_ASIAN : share.hangul > 0.3 ? HANGUL : PLAIN
  const tag = found ?? (locale.language && locale.language !== 'und' ? locale.language : 'en')
  return { tag, language: found, isUnspaced: isEastAsian || unspaced > 0.5, lengths }
}
