const MAX_VALUE = 1e15

export const DIGITS = /^\d/
const GROUPS = /^\d{1,3}(?:[.,'’\u00A0\u202F ]\d{3})+$/

/** Returns the possible values of digits. */
export function readDigits(digits: string): number[] {
  const plain = digits.replace(/['’\u00A0\u202F ]/g, '')
  const decimal = plain.lastIndexOf('.') > plain.lastIndexOf(',') ? '.' : ','
  const [whole, fraction = ''] = plain.split(decimal)
  const grouped = Number(plain.replace(/[.,]/g, ''))
  const values = [
    ...(GROUPS.test(digits) ? [grouped] : []),
    ...(plain.split(decimal).length === 2 ? [Number(`${(whole ?? '').replace(/[.,]/g, '')}.${fraction}`)] : [grouped]),
  ]
  return [...new Set(values)].filter((value) => value <= MAX_VALUE)
}
