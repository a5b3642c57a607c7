import { z } from 'zod'

/** Schema of a query parameter that is a whole number from `min` to `max`. */
export const queryInteger = (min: number, max: number) =>
  z.string().regex(/^\d+$/).transform(Number).pipe(z.int().min(min).max(max))
