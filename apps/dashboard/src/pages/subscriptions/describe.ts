import type { SourceCheck, Subscription, SubscriptionItem, SubscriptionItemState } from '@subtext/sdk'
import { formatDuration, nameLanguage } from '../../format.ts'
import { nameModes, nameTemplate } from '../../vocabulary.ts'

const TYPES: Record<string, string> = { video: 'videos', short: 'shorts', live: 'streams', episode: 'episodes' }

const quote = (texts: readonly string[]): string => texts.map((text) => `“${text}”`).join(', ')

/** Describes what is done with new videos. */
export function describeAction({ action, options }: Subscription): string {
  if (action === 'notify') return 'Reports new videos'
  const { summary_modes, templates = [], output_language, generate_infographic } = options
  const isAlone = summary_modes.length === 0 && templates.length > 0
  const made = [
    ...(isAlone ? [] : [nameModes(summary_modes)]),
    ...templates.map(nameTemplate),
    ...(generate_infographic ? ['infographic'] : []),
    ...(output_language ? [`in ${nameLanguage(output_language)}`] : []),
  ]
  return `Processes new videos: ${made.join(', ')}`
}

/** Describes the rules of the filter, one by one. */
export function describeFilter({ filter = {} }: Subscription): string[] {
  const { types, min_duration_seconds: min, max_duration_seconds: max, title_contains, title_excludes } = filter
  return [
    ...(types ? [`only ${types.map((type) => TYPES[type] ?? type).join(', ')}`] : []),
    ...(min === undefined ? [] : [`at least ${formatDuration(min)} long`]),
    ...(max === undefined ? [] : [`at most ${formatDuration(max)} long`]),
    ...(title_contains ? [`with ${quote(title_contains)} in the title`] : []),
    ...(title_excludes ? [`without ${quote(title_excludes)} in the title`] : []),
  ]
}

/** Describes the words to look for; empty without any. */
export const describeWords = ({ match }: Subscription): string => quote(match?.any ?? [])

const RECEIVERS = { event: 'Webhook', slack: 'Slack', discord: 'Discord' }
const EMAILS = { each: 'an email for each video', daily: 'a daily digest', weekly: 'a weekly digest' }

/** Describes who is told of new videos. */
export function describeDelivery({ deliver = {} }: Subscription): string[] {
  const { webhook_url, format = 'event', email } = deliver
  return [
    ...(webhook_url ? [`${RECEIVERS[format]} at ${new URL(webhook_url).host}`] : []),
    ...(email ? [EMAILS[email]] : []),
  ]
}

/** What the reasons of items mean, by the state that they explain. */
const REASONS: Partial<Record<SubscriptionItemState, Record<string, string>>> = {
  skipped: {
    before_subscription: 'It was published before you followed the source.',
    types: 'The filter leaves out videos of this type.',
    min_duration_seconds: 'It is shorter than the filter allows, or its length is unknown.',
    max_duration_seconds: 'It is longer than the filter allows, or its length is unknown.',
    title_contains: 'Its title has none of the words that the filter asks for.',
    title_excludes: 'Its title has a word that the filter leaves out.',
    members_only: 'Only members of the channel can watch it.',
    private: 'It is private.',
    deleted: 'It was deleted.',
  },
  waiting: {
    queued: 'It is next.',
    requested: 'You asked for it. It is next.',
    processing: 'It is being processed.',
    details: 'The filter needs its length or type, which is known once the source has been listed.',
    not_started: 'It has not begun yet.',
    live: 'It is live. It can be processed after it has ended.',
    no_captions_yet: 'It has no captions yet. The platform often writes them some hours later.',
    quota: 'Your quota is used up. It continues when there is some left.',
    spend: 'Your spending limit is reached. It continues when there is some left.',
    max_per_day: 'The limit of videos per day is reached. It continues on the next day (UTC).',
    platform: 'The video platform does not answer.',
    service: 'Something went wrong on our side.',
    account: 'The account is suspended, or may not process videos.',
  },
  failed: {
    no_captions: 'No captions have appeared.',
    not_started: 'It has not begun for days.',
    live: 'It has been live for days.',
    platform: 'The video platform did not answer, even after several tries.',
    service: 'Something went wrong on our side, even after several tries.',
    job_deleted: 'Its job was deleted before it had ended.',
    video_unavailable: 'The video does not exist any more, or is private.',
    transcript_unavailable: 'It has no captions that can be read.',
    video_not_accessible: 'Only members of the channel, or those who paid, can watch it.',
    age_restricted: 'It is age-restricted.',
    geo_blocked: 'It cannot be watched from where this service runs.',
    live_not_ended: 'It has not ended.',
  },
}

/** Explains in words why an item is in its state. A reason that this release does not know is shown by its name. */
export function explainItem({ state, reason }: SubscriptionItem): string | null {
  if (reason === undefined) return null
  const known = REASONS[state]?.[reason]
  if (known) return known
  const words = reason.replaceAll('_', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}

const LISTINGS: Record<string, string> = {
  first: 'for the first time',
  requested: 'because you asked for it',
  daily: 'as once a day',
  playlist: 'as always for playlists',
  rss_failed: 'because the feed of the channel failed',
  all_new: 'because everything in the feed of the channel was new',
  details: 'because the filter needs what a feed does not say',
}

/** Describes how a source was looked at, and why so. */
export function describeMethod({ method, reason }: SourceCheck): string {
  if (method === 'rss') return 'Feed of the channel'
  const why = reason === undefined ? undefined : (LISTINGS[reason] ?? reason.replaceAll('_', ' '))
  return why === undefined ? 'Whole list' : `Whole list, ${why}`
}
