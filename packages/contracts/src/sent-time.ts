import { z } from 'zod'

/** Later years, which an offset can reach, have no form of four digits in responses. */
const MAX_TIME = Date.UTC(10_000, 0)

/** Schema of a time in a request. */
export const sentTime = z.iso
  .datetime({
    offset: true,
    abort: true,
    error: 'Must be an ISO 8601 date and time with seconds and an offset, such as `2027-01-31T18:00:00Z`.',
  })
  .refine((text) => Date.parse(text) < MAX_TIME, { error: 'Must be before the year 10000.' })
