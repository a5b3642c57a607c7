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

/** The longest that a Short can be. Lists never say how long one is. */
const SHORT_SECONDS = { shortest: 1, longest: 180 }

function lengthOf({ type, durationSeconds }: FilteredVideo): { shortest: number; longest: number } | null {
  if (durationSeconds !== null) return { shortest: durationSeconds, longest: durationSeconds }
  return type === 'short' ? SHORT_SECONDS : null
}

/** Returns the first rule of the filter that a video breaks; null if it fits. */
export function findBrokenRule(
  filter: SubscriptionFilter | null,
  video: FilteredVideo,
): keyof SubscriptionFilter | null {
  if (!filter) return null
  const { types, min_duration_seconds: min, max_duration_seconds: max, title_contains, title_excludes } = filter
  const { title, type } = video
  const length = lengthOf(video)
  const folded = fold(title)
  const says = (text: string): boolean => folded.includes(fold(text))
  if (types && !types.includes(type)) return 'types'
  if (min !== undefined && (!length || length.shortest < min)) return 'min_duration_seconds'
  if (max !== undefined && (!length || length.longest > max)) return 'max_duration_seconds'
  if (title_contains && !title_contains.some(says)) return 'title_contains'
  if (title_excludes?.some(says)) return 'title_excludes'
  return null
}

/** Returns whether a video breaks the filter only because it is not known how long it is. */
export function awaitsLength(filter: SubscriptionFilter | null, video: FilteredVideo): boolean {
  if (!filter || lengthOf(video)) return false
  const { min_duration_seconds: min, max_duration_seconds: max, ...others } = filter
  return (min !== undefined || max !== undefined) && findBrokenRule(others, video) === null
}
