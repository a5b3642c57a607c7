import { createHash } from 'node:crypto'
import { MAX_OFFSET, type ServiceError, validationError } from '@subtext/contracts'

/** Where a walk through a list, newest first, has come to. */
export interface ListPlace {
  /** The last entry shown; with or without hyphens. */
  id: string
  /** Entries shown or passed over so far. */
  passed: number
}

interface CursorTerms {
  /** Names the list and whose it is, and any filter but the status. */
  list: string
  /** Number of the status that is filtered by, below 255; null: all. */
  status: number | null
}

interface Cursors {
  encode(place: ListPlace): string
  /** Error: `VALIDATION_ERROR` for a text that is not one of ours for this list and status. */
  decode(cursor: string): ListPlace
}

const VERSION = 1
const ALL_STATUSES = 0xff
const CONTENT_BYTES = 22
const CHECK_BYTES = 8

/**
 * Cursors of a list: version, status, entry and position, and a check that binds them to the list, in base64url without a
 * remainder. The check keeps mistakes out and no more than that: whatever a cursor says, only the caller's own is listed.
 */
export function createCursors({ list, status }: CursorTerms): Cursors {
  const statusCode = status ?? ALL_STATUSES
  const checkOf = (content: Uint8Array): Buffer =>
    createHash('sha256').update(`${list} `).update(content).digest().subarray(0, CHECK_BYTES)
  return {
    encode({ id, passed }) {
      const content = Buffer.alloc(CONTENT_BYTES)
      content.writeUInt8(VERSION, 0)
      content.writeUInt8(statusCode, 1)
      content.write(id.replaceAll('-', ''), 2, 'hex')
      content.writeUInt32BE(passed, 18)
      return Buffer.concat([content, checkOf(content)]).toString('base64url')
    },
    decode(cursor) {
      const bytes = Buffer.from(cursor, 'base64url')
      const content = bytes.subarray(0, CONTENT_BYTES)
      const isOurs =
        bytes.length === CONTENT_BYTES + CHECK_BYTES &&
        bytes.toString('base64url') === cursor &&
        bytes.subarray(CONTENT_BYTES).equals(checkOf(content)) &&
        content[0] === VERSION
      if (!isOurs) throw badCursor('Is not a `next_cursor` of this list.', 'invalid_cursor')
      if (content[1] !== statusCode) throw badCursor('Belongs to a list with another `status`.', 'invalid_cursor')
      return { id: content.toString('hex', 2, 18), passed: Math.min(MAX_OFFSET, content.readUInt32BE(18)) }
    },
  }
}

export const badCursor = (message: string, code: string): ServiceError =>
  validationError([{ path: 'query.cursor', message, code }])
