interface SaidNumber {
  /** The digits without leading zeros. */
  value: string
  start: number
  end: number
}

const withoutZeros = (digits: string): string => digits.replace(/^0+(?=\d)/, '')

/** Returns the numbers in a text that has only ASCII digits, in order. */
const findNumbers = (text: string): SaidNumber[] =>
  Array.from(text.matchAll(/\d+/g), ({ 0: digits, index }) => ({
    value: withoutZeros(digits),
    start: index,
    end: index + digits.length,
  }))

/** Returns the numbers in a text that has only ASCII digits, without leading zeros. */
export const listNumbers = (text: string): string[] => findNumbers(text).map(({ value }) => value)

/** Full hours are spoken without minutes. */
const FULL_HOUR = /\s?(?:o.?clock|uhr|h(?![a-z])|heures?|horas?|[ap]\.?m|時|时|点|點|시|बजे|час)/iuy

const isFullHour = (said: string, { end }: SaidNumber): boolean => {
  FULL_HOUR.lastIndex = end
  return FULL_HOUR.test(said)
}

/** Maximum number of parts of a time. */
const MAX_NUMBERS = 8
/** Characters between numbers that are said one right after the other. */
const MAX_GAP = 20

const keyOf = (numbers: readonly string[]): string => numbers.join(' ')

/** Returns the keys of all rows of `length` numbers that are said one right after the other. */
const listRows = (numbers: SaidNumber[], length: number): Set<string> => {
  const rows = new Set<string>()
  let row: string[] = []
  let end = 0
  for (const number of numbers) {
    if (number.start - end > MAX_GAP) row = []
    row.push(number.value)
    if (row.length > length) row.shift()
    if (row.length === length) rows.add(keyOf(row))
    end = number.end
  }
  return rows
}

/**
 * Returns a function that tells whether numbers are said one right after the other, or, for `7:00`, whether the full hour is.
 * `said` has only ASCII digits. It is read once for each length of row, so that many times in a long text take little work.
 */
export function createSaidCheck(said: string): (numbers: readonly string[]) => boolean {
  const numbers = findNumbers(said)
  const rows = new Map<number, Set<string>>()
  const rowsOf = (length: number): Set<string> => {
    const known = rows.get(length) ?? listRows(numbers, length)
    rows.set(length, known)
    return known
  }
  let fullHours: Set<string> | undefined
  const isHourSaid = (hour: string): boolean => {
    fullHours ??= new Set(numbers.filter((number) => isFullHour(said, number)).map(({ value }) => value))
    return fullHours.has(hour)
  }
  return (wanted) => {
    const [hour, ...rest] = wanted
    if (hour === undefined || wanted.length > MAX_NUMBERS) return false
    if (rowsOf(wanted.length).has(keyOf(wanted))) return true
    return rest.length > 0 && rest.every((number) => number === '0') && isHourSaid(hour)
  }
}
