import type { Cue } from '@subtext/contracts'
import { BYTE_ORDER_MARK, guardCell, writeCsvRows } from './csv-table.ts'
import { inBatches, inPieces } from './in-pieces.ts'
import type { RenderableResult } from './renderable-result.ts'

const HEADER = 'start,end,text\r\n'
const buildRow = ({ startMs, durationMs, text }: Cue): string[] => [
  String(startMs / 1000),
  String((startMs + durationMs) / 1000),
  guardCell(text),
]

async function* writeTable(result: RenderableResult, { byteOrderMark = false }: CsvOptions): AsyncGenerator<string> {
  yield byteOrderMark ? BYTE_ORDER_MARK + HEADER : HEADER
  for await (const batch of inBatches(result.cues())) yield writeCsvRows(batch.map(buildRow))
}

export interface CsvOptions {
  byteOrderMark?: boolean
}

/**
 * Yields the transcript in pieces as a table of `start,end,text`: one row per cue, times in seconds. It follows RFC 4180 and
 * puts quotes around every cell below the header. Text that could be read as a formula is prefixed with an apostrophe.
 */
export const renderCsvDocument = (result: RenderableResult, options: CsvOptions = {}): AsyncIterable<string> =>
  inPieces(writeTable(result, options))
