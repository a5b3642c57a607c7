export interface RenderRequest {
  /** Name of a file in `templates`, without `.typ`. */
  template: string
  /** What the template reads as `data.json`: JSON in pieces. It is data, never markup. */
  data: Iterable<string> | AsyncIterable<string>
  /** Further files that the template can read, such as images. */
  files?: Record<string, Uint8Array>
  format: 'pdf' | 'svg'
  /** Standard that a PDF conforms to. */
  standard?: 'ua-1' | 'a-2b'
  /** Whether a PDF is tagged. Default: true. Tags take memory. */
  tagged?: boolean
}

export interface RenderedDocument {
  /** An SVG has the first page only. */
  bytes: Buffer
  pages: number
  /** False if the text has characters that no font has: the PDF shows boxes for them and claims no standard. */
  conforms: boolean
}
