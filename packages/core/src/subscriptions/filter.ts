import type { SourceVideoType, SubscriptionFilter } from '@subtext/contracts'

/** A video as far as a filter needs it. */
export interface FilteredVideo {
  title: string
  type: SourceVideoType
  durationSeconds: number | null
}

const fold = (text: string): string => text.normalize('NFKC').toLowerCase()

/** Returns whether the filter asks for what the feed of a channel does not say. */
export const needsDetails = (filter: SubscriptionFilter | null): boolean =>
  filter?.types !== undefined ||
  filter?.min_duration_seconds !== undefined ||
  filter?.max_duration_seconds !== undefined

/** Returns the first rule of the filter that a video breaks; null if it fits. */
export function findBrokenRule(
  filter: SubscriptionFilter | null,
  { title, type, durationSeconds }: FilteredVideo,
): keyof SubscriptionFilter | null {
  if (!filter) return null
  const { types, min_duration_seconds: min, max_duration_seconds: max, title_contains, title_excludes } = filter
  const folded = fold(title)
  const says = (text: string): boolean => folded.includes(fold(text))
  if (types && !types.includes(type)) return 'types'
  if (min !== undefined && (durationSeconds === null || durationSeconds < min)) return 'min_duration_seconds'
  if (max !== undefined && (durationSeconds === null || durationSeconds > max)) return 'max_duration_seconds'
  if (title_contains && !title_contains.some(says)) return 'title_contains'
  if (title_excludes?.some(says)) return 'title_excludes'
  return null
}
