import type { Cue } from '@subtext/contracts'
import { stringify } from 'csv-stringify/sync'
import { inBatches, inPieces } from './in-pieces.ts'
import type { RenderableResult } from './renderable-result.ts'

const HEADER = 'start,end,text\r\n'
/** Spreadsheets need it to recognize UTF-8. Programs would read it as part of the first column name. */
const BYTE_ORDER_MARK = '\ufeff'

/**
 * Matches text that a spreadsheet may read as a formula. Spreadsheets skip leading spaces, control characters and invisible
 * characters, and accept full-width, small, superscript and typographic forms of the signs; some remove a leading TAB, CR
 * or LF together with the quotes. Stricter than the rule of csv-stringify, which checks only the first character. Source:
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
const FORMULA =
  /^(?:[\t\r\n]|[\s\p{C}\p{Z}]*[=+\-@\u207a-\u207c\u208a-\u208c\u2212\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20])/u
const ORDINARY_START = /^[\p{L}\p{N}]/u

const guardCell = (text: string): string => (!ORDINARY_START.test(text) && FORMULA.test(text) ? `'${text}` : text)

const buildRow = ({ startMs, durationMs, text }: Cue): string[] => [
  String(startMs / 1000),
  String((startMs + durationMs) / 1000),
  guardCell(text.toWellFormed()),
]

async function* writeTable(result: RenderableResult, { byteOrderMark = false }: CsvOptions): AsyncGenerator<string> {
  yield byteOrderMark ? BYTE_ORDER_MARK + HEADER : HEADER
  const format = { quoted: true, quoted_empty: true, record_delimiter: '\r\n' }
  for await (const batch of inBatches(result.cues())) yield stringify(batch.map(buildRow), format)
}

interface CsvOptions {
  byteOrderMark?: boolean
}

/**
 * Yields the transcript in pieces as a table of `start,end,text`: one row per cue, times in seconds. It follows RFC 4180 and
 * puts quotes around every cell below the header. Text that could be read as a formula is prefixed with an apostrophe.
 */
export const renderCsvDocument = (result: RenderableResult, options: CsvOptions = {}): AsyncIterable<string> =>
  inPieces(writeTable(result, options))
