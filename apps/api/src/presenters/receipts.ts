import { RECEIPT_FORMATS, type ReceiptFormat, type ReceiptList, type UsageReceipt } from '@subtext/contracts'
import type { ReceiptPage } from '@subtext/core/receipts'
import { renderReceiptsCsv, renderReceiptsNdjson } from '@subtext/render'
import type { z } from 'zod'
import type { Reply } from '../http/reply.ts'
import { selectMediaType } from './media-type.ts'
import { presentCursorPage } from './page.ts'

/** Returns the format of a request: `?format=` first, then `Accept`. Throws `NOT_ACCEPTABLE` when nothing accepted exists. */
export function selectReceiptFormat(
  format: ReceiptFormat | undefined,
  accepts: (types: string[]) => string | false,
): ReceiptFormat {
  if (format) return format
  const mediaType = selectMediaType(Object.values(RECEIPT_FORMATS), accepts)
  return mediaType === RECEIPT_FORMATS.csv ? 'csv' : mediaType === RECEIPT_FORMATS.ndjson ? 'ndjson' : 'json'
}

export const presentReceiptPage = (
  { receipts, nextCursor }: ReceiptPage,
  limit: number,
): z.output<typeof ReceiptList> => ({
  receipts,
  pagination: presentCursorPage(limit, nextCursor),
})

interface DocumentOptions {
  /** Adds a file name, so that browsers save the response. */
  download: boolean
  /** Whether CSV begins with a byte order mark. Default: if it is downloaded, because it is then opened in a spreadsheet. */
  byteOrderMark?: boolean
}

export function presentReceiptDocument(
  pages: AsyncIterable<UsageReceipt[]>,
  format: Exclude<ReceiptFormat, 'json'>,
  { download, byteOrderMark = download }: DocumentOptions,
): Reply {
  return {
    headers: {
      'Cache-Control': 'private, no-cache',
      ...(download && { 'Content-Disposition': `attachment; filename="receipts.${format}"` }),
    },
    mediaType: RECEIPT_FORMATS[format],
    document: format === 'csv' ? renderReceiptsCsv(pages, { byteOrderMark }) : renderReceiptsNdjson(pages),
  }
}
