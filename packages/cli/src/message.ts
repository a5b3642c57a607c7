import type { SubtextError } from '@subtext/sdk'
import { formatTime } from './table.ts'

/** Returns the message of an error and its code. Where the message refers to the time of a reset, the time takes its place. */
export function messageOf({ message, code, details }: Pick<SubtextError, 'message' | 'code' | 'details'>): string {
  const resetAt = details?.reset_at
  const text =
    typeof resetAt === 'string' ? message.replace('`details.reset_at`', `${formatTime(resetAt)} UTC`) : message
  return `${text} (${code})`
}
