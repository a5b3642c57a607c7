import { createHash } from 'node:crypto'
import { API_PREFIX, MAX_SUBSCRIPTIONS, type NewFeed, ServiceError } from '@subtext/contracts'
import { validate as isUuid, v7 as newId } from 'uuid'
import type { Actor, Context } from '../context.ts'
import type { ReservedResource } from '../idempotency/claim.ts'
import { assertSubscriptionsIncluded } from '../plans/gates.ts'
import { getSource } from '../sources/index.ts'
import { getSubscription } from '../subscriptions/index.ts'
import type { SecretBox } from '../webhooks/secret-box.ts'
import {
  deleteOwnFeed,
  findFeedByToken,
  findOwnFeed,
  insertFeed,
  listFeedEntries,
  listOwnFeeds,
  type ReadableFeed,
  type StoredFeed,
  type StoredFeedEntry,
} from './feeds-sql.ts'

interface FeedContext extends Pick<Context, 'db' | 'clock'> {
  secretBox: SecretBox
}

/** A feed with the token in its addresses. */
export interface FeedWithToken {
  feed: StoredFeed
  token: string
}

const MAX_ENTRIES = 50

const hash = (token: string): Buffer => createHash('sha256').update(token).digest()
/** The token of a feed follows from its ID and our key, so that a repeated request can be told it, though it is not stored. */
const listTokens = ({ secretBox }: FeedContext, id: string): string[] =>
  secretBox.derive(`feed ${id}`).map((bytes) => bytes.toString('base64url'))

/**
 * Creates a feed. With `reserved`, any number of calls create one. Errors: `PLAN_UPGRADE_REQUIRED`, `NOT_FOUND`,
 * `SUBSCRIPTION_LIMIT_REACHED`.
 */
export async function createFeed(
  ctx: FeedContext,
  actor: Actor,
  { subscription_id, source_id, name }: NewFeed,
  reserved?: ReservedResource,
): Promise<FeedWithToken> {
  assertSubscriptionsIncluded(actor)
  const earlier = reserved?.mayExist ? await findOwnFeed(ctx.db, actor.userId, reserved.id) : null
  if (earlier) {
    const { tokenHash, ...feed } = earlier
    const token = listTokens(ctx, feed.id).find((candidate) => hash(candidate).equals(tokenHash))
    if (token === undefined) throw new ServiceError('INTERNAL_ERROR')
    return { feed, token }
  }
  const id = reserved?.id ?? newId()
  const [token = ''] = listTokens(ctx, id)
  const feed: StoredFeed = {
    id,
    name: name ?? null,
    subscriptionId: subscription_id === undefined ? null : (await getSubscription(ctx, actor, subscription_id)).id,
    accountSourceId: source_id === undefined ? null : (await getSource(ctx, actor, source_id)).id,
    createdAt: ctx.clock(),
  }
  const row = { ...feed, userId: actor.userId, tokenHash: hash(token) }
  if (!(await insertFeed(ctx.db, row, MAX_SUBSCRIPTIONS))) {
    throw new ServiceError('SUBSCRIPTION_LIMIT_REACHED')
  }
  return { feed, token }
}

/** Returns the address of a feed. */
export const feedUrl = (publicBaseUrl: string, token: string, format: 'json' | 'atom'): string =>
  `${publicBaseUrl}${API_PREFIX}/feeds/${token}/feed.${format}`

/** Lists the feeds of the actor, the newest first. */
export const listFeeds = ({ db }: Pick<Context, 'db'>, { userId }: Actor): Promise<StoredFeed[]> =>
  listOwnFeeds(db, userId)

/** Ends a feed. Error: `NOT_FOUND`. */
export async function deleteFeed({ db }: Pick<Context, 'db'>, { userId }: Actor, id: string): Promise<void> {
  if (!isUuid(id) || !(await deleteOwnFeed(db, userId, id))) throw new ServiceError('NOT_FOUND')
}

/** Returns the feed of a token with its newest videos. Error: `NOT_FOUND`. */
export async function readFeedByToken(
  { db }: Pick<Context, 'db'>,
  token: string,
): Promise<{ feed: ReadableFeed; entries: StoredFeedEntry[] }> {
  const feed = await findFeedByToken(db, hash(token))
  if (!feed) throw new ServiceError('NOT_FOUND')
  return { feed, entries: await listFeedEntries(db, feed, MAX_ENTRIES) }
}
