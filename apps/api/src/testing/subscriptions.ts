import { createHash, randomBytes } from 'node:crypto'
import { v7 as newId } from 'uuid'
import type { ApiContext } from '../context.ts'

const OPTIONS = {
  summary_modes: ['tldr'],
  max_transcript_length: 10_000_000,
  include_comments: false,
  generate_infographic: false,
}

export interface TestSubscription {
  subscription_id: string
  video_id: string
  feed_id: string
  feed_token: string
}

/** Stores a subscription to a source of any account, whatever its plan, with an item that has failed, and a feed of it. */
export async function addTestSubscription(
  { db, verifyKey }: Pick<ApiContext, 'db' | 'verifyKey'>,
  key: string,
  sourceId: string,
): Promise<TestSubscription> {
  const { userId } = await verifyKey(key)
  const [id, feedId, token] = [newId(), newId(), randomBytes(32).toString('base64url')]
  await db.query(
    `INSERT INTO subscriptions (id, user_id, account_source_id, action, options, priority, stop_key, digested_at, created_at, updated_at)
     VALUES ($1, $2, $3, 'process', $4, 'normal', '\\x00', now(), now(), now())`,
    [id, userId, sourceId, JSON.stringify(OPTIONS)],
  )
  await db.query(
    `INSERT INTO subscription_items (subscription_id, video_id, id, title, type, state, reason, created_at, updated_at)
     VALUES ($1, 'v0000000001', $2, 'A video', 'video', 'failed', 'no_captions', now(), now())`,
    [id, newId()],
  )
  await db.query(
    'INSERT INTO feeds (id, user_id, token_hash, subscription_id, created_at) VALUES ($1, $2, $3, $4, now())',
    [feedId, userId, createHash('sha256').update(token).digest(), id],
  )
  return { subscription_id: id, video_id: 'v0000000001', feed_id: feedId, feed_token: token }
}
