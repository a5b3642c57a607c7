/** A file of the documentation as it is served. */
export interface SiteFile {
  path: string
  /** Without the charset: every text is UTF-8. */
  mediaType: string
  content: string | Buffer
  /** Its address changes with its content. */
  isImmutable?: boolean
}

/** Length of the hash in an address. */
export const HASH_CHARS = 16
