import { z } from 'zod'

/** Counts characters as people and JSON Schema do: code points, not UTF-16 code units. */
const codePoints = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

// PostgreSQL text cannot contain NUL, and a lone surrogate has no UTF-8 encoding.
const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed()

/** Schema of free text: `min` to `max` characters that can be stored as UTF-8. */
export const text = (max: number, min = 0) =>
  z
    .string()
    .refine(isStorable, { error: 'Must be well-formed Unicode without NUL characters.' })
    .refine((value) => codePoints(value) <= max, { error: `Must have at most ${max} characters.` })
    .refine((value) => codePoints(value) >= min, { error: `Must have at least ${min} characters.` })
    .meta({ maxLength: max, ...(min > 0 && { minLength: min }) })
