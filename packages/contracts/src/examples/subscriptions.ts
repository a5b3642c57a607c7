import type { CreatedFeed, Feed } from '../routes/feeds.ts'
import type { SourceCheck, Subscription, SubscriptionItem } from '../routes/subscription.ts'
import { API, COMPLETED_AT, CREATED_AT, JOB_ID, VIDEO_ID, VIDEO_URL } from './meta.ts'
import type { OperationExamples } from './operation-examples.ts'
import { SOURCE_ID } from './sources.ts'

export const SUBSCRIPTION_ID = '0193a1f6-4b7d-7e02-8a51-3c9d0e1f2a4b'
export const FEED_ID = '0193a1f7-0c2e-7a16-9d48-5b6c7d8e9f0a'
export const FEED_TOKEN = 'q3vY8mZt1Xw5uKc0RbJ7hLs2NnEo4PfGdA6TiVyWzB9'

const ACTIVE: Subscription = {
  subscription_id: SUBSCRIPTION_ID,
  source_id: SOURCE_ID,
  source_title: 'Lectures',
  source_url: 'https://www.youtube.com/@GoogleDevelopers',
  action: 'process',
  options: {
    summary_modes: ['tldr'],
    max_transcript_length: 10_000_000,
    include_comments: false,
    generate_infographic: false,
  },
  priority: 'normal',
  filter: { min_duration_seconds: 120 },
  match: { any: ['river', '"carry salt"'] },
  catch_up: 2,
  deliver: { webhook_url: 'https://hooks.example.org/subtext', format: 'event', email: 'daily' },
  status: 'active',
  last_checked_at: COMPLETED_AT,
  next_check_at: COMPLETED_AT,
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
}
const PAUSED: Subscription = { ...ACTIVE, status: 'paused', reason: 'requested' }

const MATCHES: SubscriptionItem['matches'] = [
  { start: 4.2, url: `${VIDEO_URL}&t=4s`, text: 'Every river carries salt to the sea.' },
]

const PROCESSED: SubscriptionItem = {
  video_id: VIDEO_ID,
  video_url: VIDEO_URL,
  title: 'Rivers and the sea',
  type: 'video',
  published_at: CREATED_AT,
  state: 'processed',
  job_id: JOB_ID,
  matches: MATCHES,
  first_seen_at: CREATED_AT,
  updated_at: COMPLETED_AT,
}

const WAITING: SubscriptionItem = {
  video_id: '9bZkp7q19f0',
  video_url: 'https://www.youtube.com/watch?v=9bZkp7q19f0',
  title: 'Live from the coast',
  type: 'live',
  state: 'waiting',
  reason: 'not_started',
  next_try_at: COMPLETED_AT,
  first_seen_at: CREATED_AT,
  updated_at: CREATED_AT,
}

const CHECK: SourceCheck = {
  checked_at: COMPLETED_AT,
  method: 'rss',
  outcome: 'ok',
  videos_seen: 15,
  new_videos: 1,
}

const pageOf = (limit: number) => ({ limit, has_more: false, next_cursor: null })
const one = (summary: string, value: unknown) => ({ summary, value })

const FEED: Feed = { feed_id: FEED_ID, name: 'My videos', all: true, created_at: CREATED_AT }
const CREATED: CreatedFeed = {
  ...FEED,
  url_json: `${API}/feeds/${FEED_TOKEN}/feed.json`,
  url_atom: `${API}/feeds/${FEED_TOKEN}/feed.atom`,
}

export const SUBSCRIPTION_EXAMPLES: Record<string, OperationExamples> = {
  createSubscription: {
    response: 'The subscription. `Location` is its path.',
    data: { created: one('The source is looked at right away.', ACTIVE) },
  },
  listSubscriptions: {
    response: 'A page of your subscriptions.',
    data: {
      page: one('The only page.', {
        subscriptions: [ACTIVE],
        pagination: { total: 1, limit: 20, offset: 0, has_more: false, next_offset: null, next_cursor: null },
      }),
    },
  },
  getSubscription: { response: 'The subscription.', data: { active: one('Active.', ACTIVE) } },
  updateSubscription: { response: 'The changed subscription.', data: { changed: one('Changed.', ACTIVE) } },
  deleteSubscription: { response: 'The subscription has ended.' },
  pauseSubscription: { response: 'The paused subscription.', data: { paused: one('Paused.', PAUSED) } },
  resumeSubscription: { response: 'The active subscription.', data: { active: one('Active.', ACTIVE) } },
  checkSubscription: { response: 'The source is being looked at.', data: { accepted: one('Accepted.', ACTIVE) } },
  listSubscriptionItems: {
    response: 'A page of its items.',
    data: { page: one('The only page.', { items: [WAITING, PROCESSED], pagination: pageOf(50) }) },
  },
  retrySubscriptionItem: { response: 'The item.', data: { accepted: one('Accepted.', WAITING) } },
  listSubscriptionChecks: {
    response: 'A page of checks.',
    data: { page: one('The only page.', { checks: [CHECK], pagination: pageOf(20) }) },
  },
  createFeed: { response: 'The feed with its addresses.', data: { created: one('Created.', CREATED) } },
  listFeeds: { response: 'Your feeds.', data: { feeds: one('One feed.', { feeds: [FEED] }) } },
  deleteFeed: { response: 'The feed has ended.' },
  readJsonFeed: { response: 'The feed.' },
  readAtomFeed: { response: 'The feed.' },
}

const item = {
  subscription_id: SUBSCRIPTION_ID,
  source_id: SOURCE_ID,
  video_id: VIDEO_ID,
  video_url: VIDEO_URL,
  title: PROCESSED.title,
  state: 'processed',
  job_id: JOB_ID,
}

/** `data` of the events, without the result. */
export const SUBSCRIPTION_EVENTS = {
  video: item,
  matched: { ...item, matches: MATCHES },
  paused: { subscription_id: SUBSCRIPTION_ID, source_id: SOURCE_ID, reason: 'quota' },
}
