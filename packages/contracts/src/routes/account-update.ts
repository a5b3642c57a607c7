import { z } from 'zod'
import { text } from '../text.ts'
import { SpendingLimit } from './submit-video.ts'

const MAX_NAME_LENGTH = 80

/** The name of a person or a key. */
export const shortName = z.string().trim().pipe(text(MAX_NAME_LENGTH, 1))

export const AccountUpdate = z
  .strictObject({
    name: shortName.optional(),
    monthly_limit_usd: SpendingLimit.nullish().meta({
      description: 'What the language model may cost in a UTC month, in US dollars. `null`: no limit.',
    }),
  })
  .meta({ id: 'AccountUpdate' })
