import { createHash } from 'node:crypto'
import stringify from 'safe-stable-stringify'

/**
 * SHA-256 of what makes two requests the same: method, path of the route, and the body as it was sent, whatever the order
 * of its keys. Two spellings of one JSON value (escapes, `1.0`) are the same; two values never are.
 */
export const hashRequest = (method: string, path: string, body: unknown): Buffer =>
  createHash('sha256')
    .update(`${method.toUpperCase()} ${path}\n${stringify(body)}`)
    .digest()
