import { z } from 'zod'
import { text } from '../text.ts'
import { SpendingLimit } from './submit-video.ts'

const MAX_NAME_LENGTH = 80

/** The name of a person or a key. */
export const shortName = z.string().trim().pipe(text(MAX_NAME_LENGTH, 1))

const isTimeZone = (name: string): boolean => {
  try {
    // Offsets such as `+02:00` are accepted as well, but know no daylight saving time.
    return /^[A-Za-z]/.test(name) && Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}
const timeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, { error: 'Must be the IANA name of a time zone, such as `Europe/Berlin`.' })

export const AccountUpdate = z
  .strictObject({
    name: shortName.optional(),
    time_zone: timeZone.optional().meta({ description: 'When digests are sent: at 07:00 in this time zone.' }),
    monthly_limit_usd: SpendingLimit.nullish().meta({
      description: 'What the language model may cost in a UTC month, in US dollars. `null`: no limit.',
    }),
  })
  .meta({ id: 'AccountUpdate' })
