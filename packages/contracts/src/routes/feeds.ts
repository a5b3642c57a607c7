import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { requiresPlanFor } from '../plans.ts'
import { text } from '../text.ts'
import { MAX_SUBSCRIPTIONS } from './subscription.ts'

const NO_QUERY = z.strictObject({})
const id = z.string().min(1).max(64)

export const Feed = z
  .object({
    feed_id: z.uuid(),
    name: z.string().optional(),
    subscription_id: z.uuid().optional(),
    source_id: z.uuid().optional(),
    all: z.literal(true).optional(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Feed', description: 'What it is about: a subscription, a source, or all videos of the account.' })
export type Feed = z.infer<typeof Feed>

export const CreatedFeed = Feed.extend({
  url_json: z.url().meta({ description: 'JSON Feed 1.1. Shown only in this response.' }),
  url_atom: z.url().meta({ description: 'Atom. Shown only in this response.' }),
}).meta({ id: 'CreatedFeed' })
export type CreatedFeed = z.infer<typeof CreatedFeed>

const NewFeed = z
  .strictObject({
    subscription_id: id.optional().meta({ format: 'uuid' }),
    source_id: id.optional().meta({ format: 'uuid' }),
    all: z.literal(true).optional(),
    name: z.string().trim().pipe(text(200, 1)).optional().meta({ minLength: 1, maxLength: 200 }),
  })
  .superRefine(({ subscription_id, source_id, all }, { addIssue }) => {
    if ([subscription_id, source_id, all].filter((value) => value !== undefined).length === 1) return
    addIssue({
      code: 'custom',
      path: ['subscription_id'],
      message: 'Send one of `subscription_id`, `source_id` and `all`.',
    })
  })
  .meta({ id: 'NewFeed' })
export type NewFeed = z.output<typeof NewFeed>

const FeedParams = z.object({ feed_id: z.string().meta({ format: 'uuid' }) })
const TokenParams = z.object({ feed_token: z.string().meta({ description: 'From the address of the feed.' }) })
const READ = {
  method: 'get',
  access: 'public',
  params: TokenParams,
  query: NO_QUERY,
  status: 200,
  notModified: true,
  responseHeaders: ['X-Robots-Tag'],
  errors: ['NOT_FOUND', 'VALIDATION_ERROR'],
} as const

export const feeds = {
  create: defineRoute({
    method: 'post',
    path: '/feeds',
    operationId: 'createFeed',
    summary: 'Create a feed',
    description: [
      'Creates addresses at which feed readers find the newest videos that you have processed, with their summaries, moments and links,',
      'without a key. Whoever knows an address can read the feed; only a hash of it is stored.',
      `An account has at most ${MAX_SUBSCRIPTIONS} feeds. ${requiresPlanFor('subscriptions')}`,
    ].join(' '),
    access: 'write',
    recentSignIn: true,
    query: NO_QUERY,
    body: NewFeed,
    idempotent: true,
    response: CreatedFeed,
    status: 201,
    errors: ['VALIDATION_ERROR', 'INVALID_JSON', 'PLAN_UPGRADE_REQUIRED', 'NOT_FOUND', 'SUBSCRIPTION_LIMIT_REACHED'],
    example: { body: { all: true, name: 'My videos' } },
  }),
  list: defineRoute({
    method: 'get',
    path: '/feeds/',
    operationId: 'listFeeds',
    summary: 'List your feeds',
    description: 'Newest first.',
    access: 'read',
    query: NO_QUERY,
    response: z.object({ feeds: z.array(Feed) }).meta({ id: 'FeedList' }),
    status: 200,
    errors: ['VALIDATION_ERROR'],
  }),
  delete: defineRoute({
    method: 'delete',
    path: '/feeds/{feed_id}',
    operationId: 'deleteFeed',
    summary: 'End a feed',
    description: 'Its addresses stop working at once.',
    access: 'write',
    params: FeedParams,
    query: NO_QUERY,
    status: 204,
    errors: ['NOT_FOUND', 'VALIDATION_ERROR'],
  }),
  json: defineRoute({
    ...READ,
    path: '/feeds/{feed_token}/feed.json',
    operationId: 'readJsonFeed',
    summary: 'Read a feed as JSON Feed',
    description: 'JSON Feed 1.1 with the newest 50 videos. Needs no key.',
    files: ['application/feed+json'],
  }),
  atom: defineRoute({
    ...READ,
    path: '/feeds/{feed_token}/feed.atom',
    operationId: 'readAtomFeed',
    summary: 'Read a feed as Atom',
    description: 'Atom (RFC 4287) with the newest 50 videos. Needs no key.',
    files: ['application/atom+xml'],
  }),
}
