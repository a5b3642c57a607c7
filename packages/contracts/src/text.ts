import { z } from 'zod'

/** Characters as people and JSON Schema count them: code points, not UTF-16 units. */
const codePoints = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

// PostgreSQL text cannot hold NUL, and half a surrogate pair is no character in UTF-8.
const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed()

/** Free text of a caller: at most `max` characters, storable as UTF-8. */
export const text = (max: number, min = 0) =>
  z
    .string()
    .refine(isStorable, { error: 'Must be well-formed Unicode without NUL.' })
    .refine((value) => codePoints(value) <= max, { error: `Must have at most ${max} characters.` })
    .refine((value) => codePoints(value) >= min, { error: `Must have at least ${min} characters.` })
    .meta({ maxLength: max, ...(min > 0 && { minLength: min }) })

/** A BCP-47 language tag, in its canonical spelling. */
export const languageTag = z
  .string()
  .min(2)
  .max(35)
  .refine(
    (value) => {
      try {
        return Intl.getCanonicalLocales(value).length === 1
      } catch {
        return false
      }
    },
    { error: 'Must be a BCP-47 language tag.' },
  )
  .transform((value) => Intl.getCanonicalLocales(value)[0] as string)
