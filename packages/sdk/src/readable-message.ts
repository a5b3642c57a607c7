import type { SubtextError } from './errors.ts'

const FIELD = /`details\.(\w+)`/g
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/**
 * Returns the message of an error as people should read it: with the values of the details in place of the fields that it names,
 * such as "It resets at `details.reset_at`". `formatTime` formats a time; without it, times stay in ISO 8601 and UTC.
 */
export function readableMessage(
  { message, details = {} }: Pick<SubtextError, 'message' | 'details'>,
  formatTime: (iso: string) => string = (iso) => iso,
): string {
  return message.replace(FIELD, (field, name: string) => {
    const value = details[name]
    if (typeof value === 'number') return String(value)
    if (typeof value !== 'string') return field
    return TIME.test(value) ? formatTime(value) : `\`${value}\``
  })
}
