export interface RenderRequest {
  /** Name of a file in `templates`, without `.typ`. */
  template: string
  /** The content of `data.json` for the template: JSON in pieces. It is data, never markup. */
  data: Iterable<string> | AsyncIterable<string>
  /** Further files that the template can read, such as images. */
  files?: Record<string, Uint8Array>
  /** `png`: the first page, with one pixel for each point. */
  format: 'pdf' | 'svg' | 'png'
  /**
   * Size of the data (UTF-8 bytes) up to which a PDF is tagged and conforms to PDF/UA-1. With more, it conforms to PDF/A-2b and
   * has no tags, for which it would need several times the memory. Default: 1,000,000.
   */
  maxTaggedBytes?: number
}

export interface RenderedDocument {
  /** An SVG has the first page only. */
  bytes: Buffer
  pages: number
  /** False if the text has characters that no font has: the PDF then shows boxes for them and claims no standard. */
  conforms: boolean
}
