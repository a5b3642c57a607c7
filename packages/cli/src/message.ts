import { readableMessage, type SubtextError } from '@subtext/sdk'
import { formatTime } from './table.ts'

/** Returns the message of an error and its code. Where the message refers to its details, their values take their place. */
export const messageOf = (error: Pick<SubtextError, 'message' | 'code' | 'details'>): string =>
  `${readableMessage(error, formatTime)} (${error.code})`
