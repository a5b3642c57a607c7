import { createHash } from 'node:crypto'
import { createCursors } from '../cursor.ts'

/** Where a page of hits begins: the hits after `skip` of the candidates from `block` on. */
export interface SearchPlace {
  block: number
  skip: number
}

interface SearchCursors {
  encode(place: SearchPlace): string
  /** Error: `VALIDATION_ERROR` for a text that is not a cursor of this search. */
  decode(cursor: string): SearchPlace
}

/** Creates the codec for the cursors of a search of an account. `search`: the query with everything that decides about hits. */
export function createSearchCursors(userId: string, search: Record<string, unknown>): SearchCursors {
  const key = createHash('sha256').update(JSON.stringify(search)).digest('base64url')
  const cursors = createCursors({ list: `library ${userId} ${key}`, status: null })
  return {
    encode: ({ block, skip }) => cursors.encode({ id: skip.toString(16).padStart(32, '0'), passed: block }),
    decode(cursor) {
      const { id, passed } = cursors.decode(cursor)
      return { block: passed, skip: Number.parseInt(id, 16) }
    },
  }
}
