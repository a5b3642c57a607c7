import { createHash } from 'node:crypto'
import { MAX_OFFSET, type ServiceError, validationError } from '@subtext/contracts'

/** Where a walk through a list, newest first, has come to. */
export interface ListPlace {
  /** The last entry shown; with or without hyphens. */
  id: string
  /** Entries shown or passed over so far. */
  passed: number
}

interface CursorOptions {
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
export function createCursors({ list, status }: CursorOptions): Cursors {
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

const badCursor = (message: string, code: string): ServiceError =>
  validationError([{ path: 'query.cursor', message, code }])

export interface PageQuery {
  limit: number
  offset?: number | undefined
  /** From an earlier page; instead of `offset`. */
  cursor?: string | undefined
}

/** Where a page stands in its list. */
export interface PageOfList {
  total: number
  limit: number
  /** Entries passed over: as asked, or since the walk by cursor began. */
  offset: number
  /** Null: this is the last page. */
  nextOffset: number | null
  nextCursor: string | null
}

/** What the store is to read: entries older than `before` (null: from the newest), past the first `skip` of them. */
interface StoredPlace {
  before: string | null
  skip: number
  limit: number
}

/** A page of a list, newest first. Error: `VALIDATION_ERROR` for a cursor that is not of this list, or beside an offset. */
export async function readPage<Entry extends { id: string }>(
  { limit, offset: asked, cursor }: PageQuery,
  cursors: Cursors,
  read: (place: StoredPlace) => Promise<{ entries: Entry[]; total: number }>,
): Promise<PageOfList & { entries: Entry[] }> {
  if (cursor !== undefined && asked !== undefined) {
    throw badCursor('Send `cursor` or `offset`, not both.', 'conflicting_fields')
  }
  const place = cursor === undefined ? null : cursors.decode(cursor)
  const offset = place?.passed ?? asked ?? 0
  // One more than is shown tells whether there is a next page.
  const found = await read({ before: place?.id ?? null, skip: place ? 0 : offset, limit: limit + 1 })
  const entries = found.entries.slice(0, limit)
  const last = entries.at(-1)
  const nextOffset = last && found.entries.length > limit ? offset + limit : null
  return {
    ...{ entries, total: found.total, limit, offset, nextOffset },
    nextCursor: last && nextOffset !== null ? cursors.encode({ id: last.id, passed: nextOffset }) : null,
  }
}
