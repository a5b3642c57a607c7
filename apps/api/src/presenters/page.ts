import type { Pagination } from '@subtext/contracts'
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
