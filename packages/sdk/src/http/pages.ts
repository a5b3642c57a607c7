import type { Pagination } from '../generated/types.ts'

/** A list of any length. Iterate over it to read all pages, or fetch them one by one. */
export interface List<T, P extends NextPage = Pagination> extends AsyncIterable<T> {
  /**
   * Returns one page: the first, or the one named by `pagination.next_cursor` of the page before. The first one has the exact
   * total, if the list has one.
   */
  page(cursor?: string): Promise<Page<T, P>>
}

export interface Page<T, P extends NextPage = Pagination> {
  items: T[]
  pagination: P
}

type NextPage = Pick<Pagination, 'next_cursor'>

/**
 * Creates a list from a function that fetches a page, which has its items in the field `name`. Pages are fetched when they are
 * needed, one at a time.
 */
export function createList<K extends string, T, P extends NextPage>(
  name: K,
  fetchPage: (cursor: string | undefined) => Promise<Record<K, T[]> & { pagination: P }>,
): List<T, P> {
  const page = async (cursor?: string): Promise<Page<T, P>> => {
    const { [name]: items, pagination } = await fetchPage(cursor)
    return { items, pagination }
  }
  return {
    page,
    async *[Symbol.asyncIterator]() {
      let cursor: string | undefined
      do {
        const { items, pagination } = await page(cursor)
        yield* items
        cursor = pagination.next_cursor ?? undefined
      } while (cursor !== undefined)
    },
  }
}
