import { stringify } from 'csv-stringify/sync'

/** Spreadsheets need it to recognize UTF-8. Programs would read it as part of the first column name. */
export const BYTE_ORDER_MARK = '\ufeff'

/**
 * Matches text that a spreadsheet may read as a formula. Spreadsheets skip leading spaces, control characters and invisible
 * characters, and accept full-width, small, superscript and typographic forms of the signs; some remove a leading TAB, CR
 * or LF together with the quotes. Stricter than the rule of csv-stringify, which checks only the first character. Source:
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
const SIGN = '[=+\\-@\\u207a-\\u207c\\u208a-\\u208c\\u2212\\ufe62\\ufe63\\ufe66\\ufe6b\\uff0b\\uff0d\\uff1d\\uff20]'
const FORMULA = new RegExp(`^(?:[\\t\\r\\n]|[\\s\\p{C}\\p{Z}]*${SIGN})`, 'u')
const STARTS_WITH_SIGN = new RegExp(SIGN, 'uy')
/**
 * Where the list separator is a semicolon, as in most of Europe, a spreadsheet ends a cell at each one and reads the commas and
 * quotes of the file as text. Matches the beginning of such a cell, without its first sign. Always matches as much as it can,
 * so that the search takes linear time.
 */
const INNER_CELL = /[;\r\n][;"\s\p{C}\p{Z}]*/gu
const ORDINARY_START = /^[\p{L}\p{N}]/u

function guardInnerCells(cell: string): string {
  if (!/[;\r\n]/.test(cell)) return cell
  return cell.replace(INNER_CELL, (start: string, at: number) => {
    STARTS_WITH_SIGN.lastIndex = at + start.length
    return STARTS_WITH_SIGN.test(cell) ? `${start}'` : start
  })
}

/** Returns foreign text as a cell: one that could be read as a formula is prefixed with an apostrophe, also after a semicolon. */
export const guardCell = (text: string): string => {
  const cell = guardInnerCells(text.toWellFormed())
  return !ORDINARY_START.test(cell) && FORMULA.test(cell) ? `'${cell}` : cell
}

/** Returns rows of a table according to RFC 4180, with quotes around every cell. */
export const writeCsvRows = (rows: string[][]): string =>
  stringify(rows, { quoted: true, quoted_empty: true, record_delimiter: '\r\n' })
