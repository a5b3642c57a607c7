import { parseLanguage } from '@subtext/render'

/** A language as the templates expect it. */
export interface TypesetLanguage {
  /** BCP-47; decides the fonts. */
  tag: string
  /** ISO 639, for hyphenation and the metadata of the document. */
  lang: string
  /** ISO 3166. */
  region: string | null
  dir: 'ltr' | 'rtl'
}

const UNDETERMINED: TypesetLanguage = { tag: 'und', lang: 'und', region: null, dir: 'ltr' }

/** Typst has no setting for scripts. For a language with several, the region selects the one that is used there. */
const REGION_OF_SCRIPT: Record<string, string> = { Hant: 'TW', Hans: 'CN' }

/** Returns the language of a tag, which may be any text from the platform or a caller. */
export function toTypesetLanguage(tag: string): TypesetLanguage {
  const language = parseLanguage(tag)
  if (!language) return UNDETERMINED
  const locale = new Intl.Locale(language.tag)
  const region = locale.region ?? REGION_OF_SCRIPT[locale.script ?? ''] ?? null
  return {
    tag: language.tag,
    lang: /^[a-z]{2,3}$/.test(locale.language) ? locale.language : UNDETERMINED.lang,
    region: region !== null && /^[A-Z]{2}$/.test(region) ? region : null,
    dir: language.direction,
  }
}

const RIGHT_TO_LEFT =
  /\p{Script=Arabic}|\p{Script=Hebrew}|\p{Script=Syriac}|\p{Script=Thaana}|\p{Script=Nko}|\p{Script=Adlam}/u
const FIRST_LETTER = /\p{L}/u

/** Returns the direction of a text by its first letter, or null if it has none. */
export function directionOf(text: string): 'ltr' | 'rtl' | null {
  const [letter] = FIRST_LETTER.exec(text) ?? []
  if (letter === undefined) return null
  return RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr'
}

/** Returns the name of a language in another, or its tag if it has no name there. */
export function nameLanguage(tag: string, inLanguage: string): string {
  try {
    return new Intl.DisplayNames([inLanguage, 'en'], { type: 'language', fallback: 'code' }).of(tag) ?? tag
  } catch {
    return tag
  }
}
