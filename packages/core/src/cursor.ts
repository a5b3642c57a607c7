import { createHash } from 'node:crypto'
import { MAX_OFFSET, type ServiceError, validationError } from '@subtext/contracts'

/** A position in a list that is paged from the newest entry to the oldest. */
export interface ListPlace {
  /** ID of the last entry returned, with or without hyphens. */
  id: string
  /** Number of entries returned or skipped so far. */
  passed: number
}

interface CursorOptions {
  /** Identifies the list, its owner, and all filters other than the status. */
  list: string
  /** Number of the status in the filter, below 255; null for no filter. */
  status: number | null
}

interface Cursors {
  encode(place: ListPlace): string
  /** Error: `VALIDATION_ERROR` for a text that is not a cursor of this list and status. */
  decode(cursor: string): ListPlace
}

const VERSION = 1
const ALL_STATUSES = 0xff
const CONTENT_BYTES = 22
const CHECK_BYTES = 8

const checkOf = (list: string, content: Uint8Array): Buffer =>
  createHash('sha256').update(`${list} `).update(content).digest().subarray(0, CHECK_BYTES)

/**
 * Returns a cursor: its content and a checksum that binds it to its list, in base64url without padding. The checksum only catches
 * mistakes; it protects nothing. Whatever a cursor contains, only the caller's own entries are listed.
 */
export const sealCursor = (list: string, content: Buffer): string =>
  Buffer.concat([content, checkOf(list, content)]).toString('base64url')

/**
 * Returns the content of a cursor. `isWhole`: whether the content has the form that the list gives it. Error: `VALIDATION_ERROR`
 * for a text that is not a cursor of this list.
 */
export function openCursor(list: string, cursor: string, isWhole: (content: Buffer) => boolean): Buffer {
  const bytes = Buffer.from(cursor, 'base64url')
  const content = bytes.subarray(0, Math.max(0, bytes.length - CHECK_BYTES))
  const isOurs =
    bytes.toString('base64url') === cursor &&
    bytes.subarray(content.length).equals(checkOf(list, content)) &&
    isWhole(content)
  if (!isOurs) throw badCursor('Must be a `next_cursor` of this list.', 'invalid_cursor')
  return content
}

/** Creates the codec for the cursors of a list. A cursor holds the version, status, entry and position. */
export function createCursors({ list, status }: CursorOptions): Cursors {
  const statusCode = status ?? ALL_STATUSES
  return {
    encode({ id, passed }) {
      const content = Buffer.alloc(CONTENT_BYTES)
      content.writeUInt8(VERSION, 0)
      content.writeUInt8(statusCode, 1)
      content.write(id.replaceAll('-', ''), 2, 'hex')
      content.writeUInt32BE(passed, 18)
      return sealCursor(list, content)
    },
    decode(cursor) {
      const content = openCursor(
        list,
        cursor,
        ({ length, [0]: version }) => length === CONTENT_BYTES && version === VERSION,
      )
      if (content[1] !== statusCode) throw badCursor('Must come from a list with the same `status`.', 'invalid_cursor')
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

/** The place of a page in its list. */
export interface PageOfList {
  total: number
  limit: number
  /** Number of entries before this page: the requested offset or, when paging by cursor, the entries returned so far. */
  offset: number
  /** Null on the last page. */
  nextOffset: number | null
  nextCursor: string | null
}

/** Tells the store to read entries older than `before` (null: from the newest), without the first `skip`. */
interface StoredPlace {
  before: string | null
  skip: number
  limit: number
}

/** Returns the place of a page. Error: `VALIDATION_ERROR` for a cursor of another list, or one sent together with an offset. */
function placeOf(
  { limit, offset: requestedOffset, cursor }: PageQuery,
  cursors: Cursors,
): { offset: number; stored: StoredPlace } {
  if (cursor !== undefined && requestedOffset !== undefined) {
    throw badCursor('Send `cursor` or `offset`, not both.', 'conflicting_fields')
  }
  const place = cursor === undefined ? null : cursors.decode(cursor)
  const offset = place?.passed ?? requestedOffset ?? 0
  // One extra entry shows whether there is a next page.
  return { offset, stored: { before: place?.id ?? null, skip: place ? 0 : offset, limit: limit + 1 } }
}

/** Reads a page of a list, newest first. Errors: those of `placeOf`. */
export async function readPage<Entry extends { id: string }, Found extends { entries: Entry[]; total: number }>(
  query: PageQuery,
  cursors: Cursors,
  read: (place: StoredPlace) => Promise<Found>,
): Promise<Found & PageOfList> {
  const { offset, stored } = placeOf(query, cursors)
  const { limit } = query
  const found = await read(stored)
  const entries = found.entries.slice(0, limit)
  const last = entries.at(-1)
  const nextOffset = last && found.entries.length > limit ? offset + limit : null
  return {
    ...found,
    entries,
    limit,
    offset,
    nextOffset,
    nextCursor: last && nextOffset !== null ? cursors.encode({ id: last.id, passed: nextOffset }) : null,
  }
}
