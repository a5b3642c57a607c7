import type { Format, Warning } from '@subtext/contracts'

export interface PresentOptions {
  /** Adds a file name, so that browsers save the response. */
  download?: boolean
  /** Whether CSV begins with a byte order mark. Default: if it is downloaded, because it is then opened in a spreadsheet. */
  byteOrderMark?: boolean
}

/** A result in one format. */
export interface PresentedResult {
  format: Format
  headers: Record<string, string>
  warnings: Warning[]
  /** The document, or the JSON text of the envelope's data. */
  text: AsyncIterable<string> | Buffer
}
