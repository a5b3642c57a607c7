import type { NumberWords } from './number-words.ts'

/** Larger units as they are abbreviated, and forms that the tables of number words lack. */
const SHORT_SCALES: Partial<Record<string, Record<string, number>>> = {
  en: { hundred: 100, k: 1e3, mn: 1e6, bn: 1e9, tn: 1e12, millions: 1e6, billions: 1e9 },
  ar: {
    ألف: 1e3,
    آلاف: 1e3,
    ألفا: 1e3,
    ألفان: 2e3,
    ألفين: 2e3,
    مليون: 1e6,
    ملايين: 1e6,
    مليونا: 1e6,
    مليونين: 2e6,
    مليار: 1e9,
    مليارات: 1e9,
    مليارين: 2e9,
    تريليون: 1e12,
  },
  de: { tsd: 1e3, mio: 1e6, mrd: 1e9 },
  fr: { md: 1e9, mds: 1e9 },
  hi: { हजार: 1e3, मिलियन: 1e6, बिलियन: 1e9, अरब: 1e9, ट्रिलियन: 1e12 },
  it: { mln: 1e6, mld: 1e9 },
  pt: { bilhão: 1e9, bilhões: 1e9, trilhão: 1e12, trilhões: 1e12 },
  ru: { тыс: 1e3, млн: 1e6, млрд: 1e9, трлн: 1e12 },
}
const SCALES = [1e3, 1e5, 1e6, 1e7, 1e9, 1e12]

/** Returns the words for thousand, million and so on, in all their forms. */
export function listScales(words: NumberWords, language: string): Map<string, number> {
  const scales = new Map(Object.entries(SHORT_SCALES[language] ?? {}))
  for (const scale of SCALES) {
    for (const reading of [1, 2, 5].flatMap((count) => words.readingsOf(scale * count))) {
      const parts = reading.split(' ')
      const last = parts.at(-1) ?? ''
      // `zweitausend` is a number, not a unit.
      if (parts.length === 1 && words.valueOf(last) !== scale) continue
      const value = words.valueOf(last)
      if (!scales.has(last) && (value === undefined || value === scale)) scales.set(last, scale)
    }
  }
  return scales
}
