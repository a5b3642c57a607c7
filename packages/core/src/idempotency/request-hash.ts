import { createHash } from 'node:crypto'
import stringify from 'safe-stable-stringify'

/**
 * Returns the SHA-256 of what makes two requests the same: the method, the path, and the body as sent, regardless of the
 * order of its keys. Two spellings of one JSON value (escapes, `1.0`) hash the same; two different values never do.
 */
export const hashRequest = (method: string, path: string, body: unknown): Buffer =>
  createHash('sha256')
    .update(`${method.toUpperCase()} ${path}\n${stringify(body)}`)
    .digest()
