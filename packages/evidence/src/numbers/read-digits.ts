const MAX_VALUE = 1e15

export const DIGITS = /^\d/
const GROUPS = /^\d{1,3}(?:[.,'’\u00A0\u202F ]\d{3})+$/

/** What separates groups of three digits, so that `1.234` is read as one number where it can mean two. */
export type GroupMark = ',' | '.' | null

const COMMA = new Set(['en', 'hi', 'ja', 'ko', 'zh', 'th', 'he'])
const FULL_STOP = new Set(['de', 'es', 'pt', 'it', 'nl', 'tr', 'id', 'da', 'el'])

/** Returns the mark that a language (ISO 639) separates groups of digits with; null if it has several. */
export const groupMarkOf = (language: string): GroupMark =>
  COMMA.has(language) ? ',' : FULL_STOP.has(language) ? '.' : null

/** Returns the possible values of digits. */
export function readDigits(digits: string, mark: GroupMark = null): number[] {
  const plain = digits.replace(/['’\u00A0\u202F ]/g, '')
  const decimal = plain.lastIndexOf('.') > plain.lastIndexOf(',') ? '.' : ','
  const [whole, fraction = ''] = plain.split(decimal)
  const grouped = Number(plain.replace(/[.,]/g, ''))
  const isGrouped = GROUPS.test(digits)
  const single =
    plain.split(decimal).length === 2 ? Number(`${(whole ?? '').replace(/[.,]/g, '')}.${fraction}`) : grouped
  const values = isGrouped && decimal === mark ? [grouped] : [...(isGrouped ? [grouped] : []), single]
  return [...new Set(values)].filter((value) => value <= MAX_VALUE)
}
