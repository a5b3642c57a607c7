const parseLocale = (tag: string): Intl.Locale | null => {
  try {
    return new Intl.Locale(tag)
  } catch {
    return null
  }
}

/** The platform calls Norwegian `no` what its speakers write, nearly always Bokmål (`nb`). */
const spokenAs = ({ language }: Intl.Locale): string => (language === 'no' ? 'nb' : language)

const isSpokenAlike = (one: Intl.Locale, other: Intl.Locale): boolean => spokenAs(one) === spokenAs(other)

/** The same tag, however it is spelt; what is no tag is compared as it stands. */
export function isSameTag(one: string, other: string): boolean {
  const [a, b] = [parseLocale(one), parseLocale(other)]
  return a && b ? a.toString() === b.toString() : one.toLowerCase() === other.toLowerCase()
}

/** One tag says more than the other, and nothing else: `pt`, `pt-BR`. */
export function oneNarrowsOther(one: string, other: string): boolean {
  const [a, b] = [parseLocale(one), parseLocale(other)]
  if (!a || !b || !isSpokenAlike(a, b)) return false
  const [shorter, longer] = a.toString().length < b.toString().length ? [a, b] : [b, a]
  return longer.toString() === shorter.toString() || longer.toString().startsWith(`${shorter}-`)
}

/** The script that a language is written in, as `Intl` names it; null where that is not known. */
export const scriptOf = (tag: string): string | null => parseLocale(tag)?.maximize().script ?? null

/** The same words are written the same way in both: `pt-PT`, `pt-BR`. */
export function isWrittenAlike(one: string, other: string): boolean {
  const [a, b] = [parseLocale(one), parseLocale(other)]
  if (!a || !b) return isSameTag(one, other)
  return isSpokenAlike(a, b) && a.maximize().script === b.maximize().script
}

/**
 * Whoever asks for a language has it in a text of the other tag: written alike, and of the region that is asked for, if one
 * is. A text whose region is not told is of the one where most write so (`en`: `US`).
 */
export function isLanguageAsked(asked: string, given: string): boolean {
  if (!isWrittenAlike(asked, given)) return false
  const region = parseLocale(asked)?.region
  return region === undefined || region === parseLocale(given)?.maximize().region
}
