import type { Cue } from '@subtext/contracts'
import { stringify } from 'csv-stringify/sync'
import { inBatches, inPieces } from './in-pieces.ts'
import type { RenderableResult } from './renderable-result.ts'

const HEADER = 'start,end,text\r\n'
/** Spreadsheets take UTF-8 for something else without it; programs take it for a part of the first name. */
const BYTE_ORDER_MARK = '\ufeff'

/**
 * What a spreadsheet may take for a formula. It skips spaces, controls and invisible characters at the front, and reads
 * full-width, small, raised and typographic forms like the plain ones; a leading TAB, CR or LF is dropped with the
 * quotes by some. Wider than the rule of csv-stringify, which looks at the first character alone. Source:
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

async function* writeTable(result: RenderableResult, { forSpreadsheet = false }: CsvOptions): AsyncGenerator<string> {
  yield forSpreadsheet ? BYTE_ORDER_MARK + HEADER : HEADER
  const format = { quoted: true, quoted_empty: true, record_delimiter: '\r\n' }
  for await (const batch of inBatches(result.cues())) yield stringify(batch.map(buildRow), format)
}

interface CsvOptions {
  /** Begins with a byte order mark. */
  forSpreadsheet?: boolean
}

/**
 * The transcript as a table of `start,end,text`, one row for each cue, times in seconds; in pieces. As RFC 4180 wants
 * it, every cell below the header in quotes. A text that could be a formula gets an apostrophe in front.
 */
export const renderCsvDocument = (result: RenderableResult, options: CsvOptions = {}): AsyncIterable<string> =>
  inPieces(writeTable(result, options))
