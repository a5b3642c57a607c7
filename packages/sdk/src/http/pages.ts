import type { Pagination } from '../generated/types.ts'

/** A list of any length. Iterate over it to read all pages, or fetch them one by one. */
export interface List<T> extends AsyncIterable<T> {
  /**
   * Returns one page: the first, or the one that `pagination.next_cursor` of the page before it names. The first one tells the
   * exact total.
   */
  page(cursor?: string): Promise<Page<T>>
}

export interface Page<T> {
  items: T[]
  pagination: Pagination
}

/** Creates a list from a function that fetches a page. Pages are fetched when they are needed, one at a time. */
export function createList<T>(fetchPage: (cursor: string | undefined) => Promise<Page<T>>): List<T> {
  return {
    page: fetchPage,
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
