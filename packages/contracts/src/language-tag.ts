import { z } from 'zod'

const MAX_LENGTH = 35
/** ISO 639: two letters, or three. BCP-47 reserves longer words for languages, but none is registered. */
const ISO_SHAPE = /^[a-z]{2,3}(?:-|$)/

/** Canonical forms by text, undefined for texts that are not tags: few are in use, and finding one costs many times as much. */
const canonicalTags = new Map<string, string | undefined>()
const MAX_CANONICAL_TAGS = 1_000

/** Returns the canonical form of a BCP-47 language tag, or undefined if the text is not one. `text`: at most `MAX_LENGTH`. */
function canonicalTag(text: string): string | undefined {
  if (canonicalTags.has(text)) return canonicalTags.get(text)
  if (canonicalTags.size >= MAX_CANONICAL_TAGS) canonicalTags.clear()
  const tag = findCanonicalTag(text)
  canonicalTags.set(text, tag)
  return tag
}

function findCanonicalTag(text: string): string | undefined {
  try {
    const [tag = ''] = Intl.getCanonicalLocales(text)
    return ISO_SHAPE.test(tag) && isRegistered(tag) ? tag : undefined
  } catch {
    return undefined
  }
}

const ENGLISH_NAMES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** Whether a language of two letters exists. Of those with three there are thousands, and most have no name here. */
function isRegistered(tag: string): boolean {
  const [language = ''] = tag.split('-')
  return language.length > 2 || ENGLISH_NAMES.of(language) !== undefined
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz']
let codesByName: Map<string, string> | undefined

/** Returns the tags of the languages with a code of two letters, by their English names in lower case. */
function findByName(name: string): string | undefined {
  codesByName ??= new Map(
    LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).flatMap((code): [string, string][] => {
      const known = ENGLISH_NAMES.of(code)
      return known === undefined ? [] : [[known.toLowerCase(), canonicalTag(code) ?? code]]
    }),
  )
  return codesByName.get(name.trim().toLowerCase())
}

const COUNTRY_NAMES = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

const UNKNOWN_COUNTRY = 'ZZ'

/** Returns the language that most people of a country speak. */
function findByCountry(text: string): string | undefined {
  const code = text.toUpperCase()
  if (!/^[A-Z]{2}$/.test(code) || code === UNKNOWN_COUNTRY || COUNTRY_NAMES.of(code) === undefined) return undefined
  return canonicalTag(new Intl.Locale(`und-${code}`).maximize().language)
}

/** Returns the tag that was probably meant by a text that is not a tag: `de` for `German`, `pt-BR` for `pt_BR`, `ja` for `jp`. */
function guessTag(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined
  return canonicalTag(text.replaceAll('_', '-')) ?? findByName(text) ?? findByCountry(text)
}

const describe = (input: unknown): string => {
  const guess = typeof input === 'string' ? guessTag(input) : undefined
  return `Must be a BCP-47 language tag, such as \`en\` or \`pt-BR\`.${guess ? ` Did you mean \`${guess}\`?` : ''}`
}

/** Schema of a BCP-47 language tag, which is converted to its canonical form. */
export const languageTag = z
  .string()
  .refine((value) => value.length <= MAX_LENGTH && canonicalTag(value) !== undefined, {
    error: ({ input }) => describe(input),
  })
  .transform((value) => canonicalTag(value) ?? value)
  .meta({ minLength: 2, maxLength: MAX_LENGTH })
