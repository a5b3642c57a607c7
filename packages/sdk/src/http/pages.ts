import type { Pagination } from '../generated/types.ts'

/** A list of any length. Iterate over it to read all pages, or fetch the first page alone. */
export interface List<T> extends AsyncIterable<T> {
  /** Returns the first page, with the exact total in `pagination`. */
  firstPage(): Promise<Page<T>>
}

export interface Page<T> {
  items: T[]
  pagination: Pagination
}

/** Creates a list from a function that fetches a page. Pages are fetched when they are needed, one at a time. */
export function createList<T>(fetchPage: (cursor: string | undefined) => Promise<Page<T>>): List<T> {
  return {
    firstPage: () => fetchPage(undefined),
    async *[Symbol.asyncIterator]() {
      let cursor: string | undefined
      do {
        const { items, pagination } = await fetchPage(cursor)
        yield* items
        cursor = pagination.next_cursor ?? undefined
      } while (cursor !== undefined)
    },
  }
}
