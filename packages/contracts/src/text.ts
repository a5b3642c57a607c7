import { z } from 'zod'

/** Counts characters as people and JSON Schema do: code points, not UTF-16 code units. */
const codePoints = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

/** Whether a text can be stored: PostgreSQL text cannot contain NUL, and a lone surrogate has no UTF-8 encoding. */
export const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed()

export const NOT_STORABLE = 'Must be well-formed Unicode without NUL characters.'

/** Returns the message about a text that is too short. */
export const describeMinLength = (min: number): string =>
  min === 1 ? 'Must not be empty.' : `Must have at least ${min.toLocaleString('en-US')} characters.`

/** Schema of free text: `min` to `max` characters that can be stored as UTF-8. */
export const text = (max: number, min = 0) =>
  z
    .string()
    .refine(isStorable, { error: NOT_STORABLE })
    .refine((value) => codePoints(value) <= max, {
      error: `Must have at most ${max.toLocaleString('en-US')} characters.`,
    })
    .refine((value) => codePoints(value) >= min, { error: describeMinLength(min) })
    .meta({ maxLength: max, ...(min > 0 && { minLength: min }) })
