interface CursorPage {
  pagination: { next_cursor: string | null }
}

/** Options of an infinite query over a list of the API: from the first page, by the cursor of each page to the next one. */
export const CURSOR_PAGES = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ pagination }: CursorPage): string | undefined => pagination.next_cursor ?? undefined,
}
