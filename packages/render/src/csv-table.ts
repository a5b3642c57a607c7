import { stringify } from 'csv-stringify/sync'

/** Spreadsheets need it to recognize UTF-8. Programs would read it as part of the first column name. */
export const BYTE_ORDER_MARK = '\ufeff'

/**
 * Matches text that a spreadsheet may read as a formula. Spreadsheets skip leading spaces, control characters and invisible
 * characters, and accept full-width, small, superscript and typographic forms of the signs; some remove a leading TAB, CR
 * or LF together with the quotes. Stricter than the rule of csv-stringify, which checks only the first character. Source:
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
const FORMULA =
  /^(?:[\t\r\n]|[\s\p{C}\p{Z}]*[=+\-@\u207a-\u207c\u208a-\u208c\u2212\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20])/u
const ORDINARY_START = /^[\p{L}\p{N}]/u

/** Returns foreign text as a cell: one that could be read as a formula is prefixed with an apostrophe. */
export const guardCell = (text: string): string => {
  const cell = text.toWellFormed()
  return !ORDINARY_START.test(cell) && FORMULA.test(cell) ? `'${cell}` : cell
}

/** Returns rows of a table according to RFC 4180, with quotes around every cell. */
export const writeCsvRows = (rows: string[][]): string =>
  stringify(rows, { quoted: true, quoted_empty: true, record_delimiter: '\r\n' })
