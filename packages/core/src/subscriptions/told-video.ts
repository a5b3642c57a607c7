import type { ToldVideo } from '../emails/kinds.ts'
import type { EndedItem } from './ended-item.ts'

const MAX_SUMMARY = 1_000
const MAX_MATCHES = 5

/** Returns the path of the page that stops the emails of a subscription. */
export const stopPathOf = (subscriptionId: string, key: Uint8Array): string =>
  `/emails/stop/${subscriptionId}/${Buffer.from(key).toString('base64url')}`

/** Returns what an email says of an item. */
export const describeVideo = (
  { title, state, reason, summary, matches }: Omit<EndedItem, 'videoId' | 'videoUrl' | 'jobId'>,
  url: string,
): ToldVideo => ({
  title,
  url,
  state,
  reason,
  summary: summary ? summary.slice(0, MAX_SUMMARY).toWellFormed() : null,
  matches: (matches ?? []).slice(0, MAX_MATCHES).map((match) => ({ url: match.url, text: match.text })),
})
