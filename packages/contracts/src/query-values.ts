import { z } from 'zod'

/** Schema of a query parameter that is a whole number from `min` to `max`. */
export const queryInteger = (min: number, max: number) => {
  const error = `Must be a whole number from ${min.toLocaleString('en-US')} to ${max.toLocaleString('en-US')}.`
  return z
    .string()
    .regex(/^\d+$/, { error })
    .transform(Number)
    .pipe(z.int({ error }).min(min, { error }).max(max, { error }))
}

/** Schema of a query parameter that is `true` or `false`. */
export const queryBoolean = z.enum(['true', 'false']).meta({ id: 'QueryBoolean' })
