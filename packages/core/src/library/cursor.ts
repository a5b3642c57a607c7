import { createHash } from 'node:crypto'
import { openCursor, sealCursor } from '../cursor.ts'
import type { CandidatePlace } from './search-sql.ts'

/**
 * Where a page of hits begins. Candidates are compared in blocks. The place of a block is that of a candidate and not a number, so
 * that jobs that are added or deleted between two pages neither repeat a hit nor hide one.
 */
export interface SearchPlace {
  /** The last candidate of the block before; null for the first block. */
  after: CandidatePlace | null
  /** The last candidate of a block of which earlier pages have a part; null for a new block. */
  until: CandidatePlace | null
  /** Marks of the videos of the block that earlier pages have, from `markVideo`. */
  shown: readonly number[]
}

export const FIRST_PLACE: SearchPlace = { after: null, until: null, shown: [] }

interface SearchCursors {
  encode(place: SearchPlace): string
  /** Error: `VALIDATION_ERROR` for a text that is not a cursor of this search. */
  decode(cursor: string): SearchPlace
}

const MARK_BYTES = 4
const ID_BYTES = 16
const PLACE_BYTES = 1 + 4 + ID_BYTES
const REST = (2 * PLACE_BYTES) % MARK_BYTES

/** Returns a number that tells a video from the others of a block. */
export const markVideo = (videoId: string): number => createHash('sha256').update(videoId).digest().readUInt32BE(0)

function encodePlace(place: CandidatePlace | null): Buffer {
  const bytes = Buffer.alloc(PLACE_BYTES)
  if (!place) return bytes
  bytes.writeUInt8(1, 0)
  bytes.writeFloatBE(place.rank, 1)
  bytes.write(place.jobId.replaceAll('-', ''), PLACE_BYTES - ID_BYTES, 'hex')
  return bytes
}

function decodePlace(bytes: Buffer): CandidatePlace | null {
  if (bytes[0] === 0) return null
  const id = bytes.toString('hex', PLACE_BYTES - ID_BYTES, PLACE_BYTES)
  return { rank: bytes.readFloatBE(1), jobId: id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') }
}

/** Creates the codec for the cursors of a search of an account. `search`: the query with everything that decides about hits. */
export function createSearchCursors(userId: string, search: Record<string, unknown>): SearchCursors {
  const key = createHash('sha256').update(JSON.stringify(search)).digest('base64url')
  const list = `search ${userId} ${key}`
  return {
    encode({ after, until, shown }) {
      const marks = Buffer.alloc(shown.length * MARK_BYTES)
      for (const [nth, mark] of shown.entries()) marks.writeUInt32BE(mark, nth * MARK_BYTES)
      return sealCursor(list, Buffer.concat([encodePlace(after), encodePlace(until), marks]))
    },
    decode(cursor) {
      const bytes = openCursor(list, cursor, ({ length }) => length >= 2 * PLACE_BYTES && length % MARK_BYTES === REST)
      const marks = bytes.subarray(2 * PLACE_BYTES)
      return {
        after: decodePlace(bytes),
        until: decodePlace(bytes.subarray(PLACE_BYTES)),
        shown: Array.from({ length: marks.length / MARK_BYTES }, (_, nth) => marks.readUInt32BE(nth * MARK_BYTES)),
      }
    },
  }
}
