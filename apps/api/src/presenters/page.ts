import type { CursorPagination, Pagination } from '@subtext/contracts'
import type { z } from 'zod'

interface Page {
  total: number
  limit: number
  offset: number
  nextOffset: number | null
  nextCursor: string | null
}

/** Presents the position of a page in its list. */
export const presentPage = ({ total, limit, offset, nextOffset, nextCursor }: Page): z.output<typeof Pagination> => ({
  total,
  limit,
  offset,
  has_more: nextOffset !== null,
  next_offset: nextOffset,
  next_cursor: nextCursor,
})

/** Presents the position of a page in a list that has only cursors. */
export const presentCursorPage = (limit: number, nextCursor: string | null): z.output<typeof CursorPagination> => ({
  limit,
  has_more: nextCursor !== null,
  next_cursor: nextCursor,
})
