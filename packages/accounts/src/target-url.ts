import { z } from 'zod'

/**
 * The address of a page to return to, with the characters percent-encoded that are not ASCII: a `Location` header can contain
 * neither these nor control characters, which are refused.
 */
export const targetUrl = z
  .string()
  .regex(/^\P{Cc}*$/u, 'Must not contain control characters.')
  .transform((target) => target.toWellFormed().replace(/[^\p{ASCII}]+/gu, encodeURIComponent))
