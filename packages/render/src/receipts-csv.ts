import type { ReceiptLine, UsageReceipt } from '@subtext/contracts'
import type { CsvOptions } from './csv-document.ts'
import { BYTE_ORDER_MARK, guardCell, writeCsvRows } from './csv-table.ts'

type Row = UsageReceipt & { line: ReceiptLine }

const COLUMNS: Record<string, (row: Row) => string | number | undefined> = {
  ended_at: (row) => row.ended_at,
  subject: (row) => row.subject,
  job_id: (row) => row.job_id,
  batch_id: (row) => row.batch_id,
  conversation_id: (row) => row.conversation_id,
  message_id: (row) => row.message_id,
  video_id: (row) => row.video_id,
  client_reference: (row) => row.client_reference && guardCell(row.client_reference),
  outcome: (row) => row.outcome,
  at: ({ line }) => line.at,
  kind: ({ line }) => line.kind,
  action: ({ line }) => line.action,
  mode: ({ line }) => line.mode,
  model: ({ line }) => line.model && guardCell(line.model),
  quantity: ({ line }) => line.quantity,
  unit: ({ line }) => line.unit,
  cost_usd: ({ line }) => line.cost_usd.toFixed(6),
  saved_usd: ({ line }) => line.saved_usd?.toFixed(6),
  reason: ({ line }) => line.reason,
  message: ({ line }) => line.message,
}
const HEADER = `${Object.keys(COLUMNS).join(',')}\r\n`

const buildRows = (receipt: UsageReceipt): string[][] =>
  receipt.lines.map((line) => Object.values(COLUMNS).map((read) => String(read({ ...receipt, line }) ?? '')))

/** Yields receipts in pieces as a table with one row per line. */
export async function* renderReceiptsCsv(
  pages: AsyncIterable<UsageReceipt[]>,
  { byteOrderMark = false }: CsvOptions = {},
): AsyncGenerator<string> {
  yield byteOrderMark ? BYTE_ORDER_MARK + HEADER : HEADER
  for await (const receipts of pages) yield writeCsvRows(receipts.flatMap(buildRows))
}

/** Yields receipts in pieces as newline-delimited JSON, one per line of text. */
export async function* renderReceiptsNdjson(pages: AsyncIterable<UsageReceipt[]>): AsyncGenerator<string> {
  for await (const receipts of pages) yield receipts.map((receipt) => `${JSON.stringify(receipt)}\n`).join('')
}
