import { z } from 'zod'

// Shared: creating one for each number takes part of the start of every process.
const NUMBER = new Intl.NumberFormat('en-US')

/** Schema of a query parameter that is a whole number from `min` to `max`. */
export const queryInteger = (min: number, max: number) => {
  const error = `Must be a whole number from ${NUMBER.format(min)} to ${NUMBER.format(max)}.`
  return z
    .string()
    .regex(/^\d+$/, { error })
    .transform(Number)
    .pipe(z.int({ error }).min(min, { error }).max(max, { error }))
}

/** Schema of a query parameter that is `true` or `false`. */
export const queryBoolean = z.enum(['true', 'false']).meta({ id: 'QueryBoolean' })
