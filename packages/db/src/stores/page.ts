/** Every ID is between these two. */
export const LOWEST_ID = '00000000-0000-0000-0000-000000000000'
export const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** A page of a list, newest first. */
export interface PageRequest {
  /** Only items older than the one with this ID; null: all items. */
  before: string | null
  /** Number of items to skip from there. */
  skip: number
  limit: number
}
