const MAX_KNOWN = 1_000
const MAX_KNOWN_LENGTH = 35
const known = new Map<string, Intl.Locale | null>()

/** Parses a tag, and keeps what it has found: every job compares the tags of all tracks of its video with each other. */
function parseLocale(tag: string): Intl.Locale | null {
  const found = known.get(tag)
  if (found !== undefined) return found
  const parsed = readLocale(tag)
  // The platform chooses the tags, so neither their number nor their length may grow the memory of the process.
  if (known.size === MAX_KNOWN) known.clear()
  if (tag.length <= MAX_KNOWN_LENGTH) known.set(tag, parsed)
  return parsed
}

function readLocale(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag)
  } catch {
    return null
  }
}

/** Maps Norwegian `no` to Bokmål (`nb`), which is what the platform nearly always means by it. */
const spokenAs = ({ language }: Intl.Locale): string => (language === 'no' ? 'nb' : language)

const isSpokenAlike = (one: Intl.Locale, other: Intl.Locale): boolean => spokenAs(one) === spokenAs(other)

/** Returns whether two tags are the same, in any spelling. Malformed tags are compared as text, ignoring case. */
export function isSameTag(one: string, other: string): boolean {
  const [a, b] = [parseLocale(one), parseLocale(other)]
  return a && b ? a.toString() === b.toString() : one.toLowerCase() === other.toLowerCase()
}

/** Returns the language of a tag without script and region: `pt` for `pt-BR`. A malformed tag is a language of its own. */
export function languageOf(tag: string): string {
  const locale = parseLocale(tag)
  return locale ? spokenAs(locale) : tag.toLowerCase()
}

/** Returns whether both tags are of the same language, in any script and region. */
export const isSameLanguage = (one: string, other: string): boolean => languageOf(one) === languageOf(other)

/** Returns whether one tag only adds detail to the other, as `pt-BR` does to `pt`. */
export function oneNarrowsOther(one: string, other: string): boolean {
  const [a, b] = [parseLocale(one), parseLocale(other)]
  if (!a || !b || !isSpokenAlike(a, b)) return false
  const [shorter, longer] = a.toString().length < b.toString().length ? [a, b] : [b, a]
  return longer.toString() === shorter.toString() || longer.toString().startsWith(`${shorter}-`)
}

/** Returns the script of a language as `Intl` names it, such as `Latn`, or null when it is unknown. */
export const scriptOf = (tag: string): string | null => parseLocale(tag)?.maximize().script ?? null

/** Returns whether both tags are the same language in the same script, as `pt-PT` and `pt-BR` are. */
export function isWrittenAlike(one: string, other: string): boolean {
  const [a, b] = [parseLocale(one), parseLocale(other)]
  if (!a || !b) return isSameTag(one, other)
  return isSpokenAlike(a, b) && a.maximize().script === b.maximize().script
}

/**
 * Returns whether a text tagged `given` satisfies a request for `requested`: same language and script, and the same region if
 * the request names one. A text without a region counts as that of its most likely region (`en`: `US`).
 */
export function satisfiesLanguage(requested: string, given: string): boolean {
  if (!isWrittenAlike(requested, given)) return false
  const region = parseLocale(requested)?.region
  return region === undefined || region === parseLocale(given)?.maximize().region
}
