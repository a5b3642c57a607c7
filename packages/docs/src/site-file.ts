/** A file of the documentation as it is served. */
export interface SiteFile {
  path: string
  /** Without the charset: every file is UTF-8. */
  mediaType: string
  content: string
  /** Its address changes with its content. */
  isImmutable?: boolean
}
