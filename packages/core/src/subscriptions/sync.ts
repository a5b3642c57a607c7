import type { SourceVideoReason } from '@subtext/contracts'
import { v7 as newId } from 'uuid'
import type { Context } from '../context.ts'
import { notify } from '../coordination/notify.ts'
import { hasSubscriptions } from '../plans/gates.ts'
import { awaitsLength, findBrokenRule, needsDetails } from './filter.ts'
import { recordPause } from './settle.ts'
import {
  insertItems,
  type LockedSubscription,
  listUnseen,
  lockActive,
  markSeeded,
  type NewItem,
  type UnseenVideo,
  wakeForNews,
} from './sync-sql.ts'
import { recordItemEvents } from './tell.ts'
import { listFollowers } from './watches-sql.ts'

type SyncContext = Pick<Context, 'db' | 'clock' | 'notifier' | 'log'>

/** Seconds before the next try of an item, after so many that have failed. Null if there is none. */
export const retrySeconds = (schedule: readonly number[], tries: number): number | null => schedule[tries - 1] ?? null

/** How long an item waits for a listing that was not asked for in vain. */
export const DETAILS_SECONDS = 1_800

/** Videos that will not become accessible. */
const FINAL: readonly SourceVideoReason[] = ['members_only', 'private', 'deleted']

/**
 * Gives every subscription of a source an item for each video that it has not seen. Returns whether an item waits for what only a
 * listing says. Safe to repeat: the items of a subscription are stored under its lock.
 */
export async function syncSource(
  ctx: SyncContext,
  sourceId: string,
  retrySchedule: readonly number[],
): Promise<{ needsListing: boolean }> {
  let needsListing = false
  for (const id of await listFollowers(ctx.db, sourceId)) {
    const synced = await ctx.db.transaction(async (sql) => {
      const locked = await lockActive(sql, id)
      if (!locked) return null
      const { seededAt, listedAt, createdAt } = locked
      // The first check has to see what there was when the subscription was made.
      if (!seededAt && (!listedAt || listedAt < createdAt)) return null
      const now = ctx.clock()
      const unseen = await listUnseen(sql, locked)
      const isBefore = (video: UnseenVideo, place: number): boolean =>
        !seededAt && place >= locked.catchUp && !(video.publishedAt && video.publishedAt >= createdAt)
      const items = unseen.map((video, place) => decide(locked, video, isBefore(video, place), retrySchedule))
      // Their IDs are in the order of time.
      const stored = items.reverse().map((item): NewItem => ({ ...item, id: newId() }))
      if (stored.length > 0) await insertItems(sql, id, stored, now)
      if (!seededAt) await markSeeded(sql, id, now)
      await wakeForNews(sql, locked)
      const ended = stored.filter(({ ends }) => ends)
      const isIncluded = hasSubscriptions({ plan: locked.plan, scopes: locked.scopes ?? [] })
      return {
        events: [
          ...(await recordItemEvents(sql, locked, ended, now)),
          ...(isIncluded ? [] : await recordPause(sql, locked, now)),
        ],
        waits: stored.some(({ reason, tries }) => reason === 'details' && tries === 0),
        isNew: stored.some(({ dueInSeconds }) => dueInSeconds === 0),
      }
    })
    for (const event of synced?.events ?? []) notify(ctx, 'delivery', event)
    if (synced?.isNew) notify(ctx, 'listing', id)
    needsListing ||= synced?.waits ?? false
  }
  return { needsListing }
}

/** Says what becomes of a video that a subscription sees for the first time. */
function decide(
  { action, filter }: LockedSubscription,
  video: UnseenVideo,
  isBefore: boolean,
  retrySchedule: readonly number[],
): Omit<NewItem, 'id'> {
  const { videoId, videoUrl, title, type, publishedAt, reason, isUnlisted } = video
  const base = { videoId, videoUrl, title, type, publishedAt }
  const skip = (why: string, ends = true) =>
    ({ ...base, state: 'skipped', reason: why, dueInSeconds: null, tries: 0, ends }) as const
  const wait = (why: string, dueInSeconds = 0, tries = 0) =>
    ({ ...base, state: 'waiting', reason: why, dueInSeconds, tries, ends: false }) as const
  if (isBefore) return skip('before_subscription', false)
  if (isUnlisted && needsDetails(filter)) return wait('details', DETAILS_SECONDS)
  const later = retrySeconds(retrySchedule, 1)
  const isFinal = reason !== null && FINAL.includes(reason)
  // Premieres and streams have a length when they are over.
  if (!isFinal && later !== null && awaitsLength(filter, video)) return wait('details', later, 1)
  const broken = findBrokenRule(filter, video)
  if (broken) return skip(broken)
  if (isFinal) return skip(reason)
  return reason && action === 'process' && later !== null
    ? wait(reason === 'no_captions' ? 'no_captions_yet' : reason, later, 1)
    : wait('queued')
}
