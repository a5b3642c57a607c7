import type { Sql } from '@subtext/db'
import { v7 as newId } from 'uuid'
import type { Context } from '../context.ts'
import { notify } from '../coordination/notify.ts'
import { queueNotice } from '../emails/queue.ts'
import { videoUrlOf } from '../videos/video-url.ts'
import { buildEvent, type WebhookEvent } from '../webhooks/event.ts'
import { type HoldReason, writeHoldMessage } from './chat-messages.ts'
import type { EndedItem } from './ended-item.ts'
import { pauseSubscriptionRow } from './subscriptions-sql.ts'
import { describeItem, recordEvent, type ToldSubscription, writeEvent } from './tell.ts'
import { describeVideo, stopPathOf } from './told-video.ts'
import { type ClaimedItem, endItem, findRecipient, holdSubscription } from './work-sql.ts'

type SettleContext = Pick<Context, 'db' | 'clock' | 'notifier' | 'log'>

/** Returns the subscription of an item as it is told. */
export const toldOf = ({
  subscriptionId,
  userId,
  accountSourceId,
  webhookUrl,
  webhookFormat,
}: ClaimedItem): ToldSubscription => ({
  id: subscriptionId,
  userId,
  accountSourceId,
  webhookUrl,
  webhookFormat,
})

/** Writes the events about an item that has ended. */
export type ItemEvents = (ended: EndedItem) => Promise<WebhookEvent[]>

export interface ItemEnd extends Omit<EndedItem, 'videoId' | 'videoUrl' | 'title'> {
  title?: string
}

/**
 * Ends an item and tells of it: its events and, if each video has one, its email are recorded in the same transaction, so that both
 * are told once. Returns false if the lease was lost. `writeEvents`: default is `subscription.video` without a result.
 */
export async function endAndTell(
  ctx: SettleContext,
  item: ClaimedItem,
  end: ItemEnd,
  writeEvents?: ItemEvents,
): Promise<boolean> {
  const told = toldOf(item)
  const ended: EndedItem = { title: item.title, ...end, videoId: item.videoId, videoUrl: item.videoUrl }
  const write: ItemEvents =
    writeEvents ??
    (async (of) => [
      writeEvent(told, 'subscription.video', { data: describeItem(told, of), item: of, now: ctx.clock() }),
    ])
  const events = told.webhookUrl === null ? [] : await write(ended)
  const { state, reason, matches = null } = ended
  const isEnded = await ctx.db.transaction(async (sql) => {
    if (!(await endItem(sql, item, { state, reason, matches, now: ctx.clock() }))) return false
    for (const event of events) await recordEvent(sql, told, item.id, event)
    const recipient = item.email === 'each' && state !== 'skipped' ? await findRecipient(sql, told.id) : null
    if (recipient) {
      await queueNotice(sql, ctx.clock(), {
        userId: item.userId,
        recipient: recipient.email,
        kind: 'subscription_video',
        data: {
          source: recipient.sourceTitle ?? '',
          video: describeVideo(ended, videoUrlOf(ended)),
          stop: stopPathOf(told.id, item.stopKey),
        },
      })
    }
    return true
  })
  if (isEnded) for (const { id } of events) notify(ctx, 'delivery', id)
  return isEnded
}

/** Builds `subscription.paused`. */
function buildHold(told: ToldSubscription, reason: HoldReason, now: Date): WebhookEvent {
  const event = buildEvent('subscription.paused', now, {
    subscription_id: told.id,
    source_id: told.accountSourceId,
    reason,
  })
  if (told.webhookFormat === 'event') return event
  return { ...event, body: Buffer.from(writeHoldMessage(told.webhookFormat, reason)) }
}

async function tell(ctx: SettleContext, record: (sql: Sql, now: Date) => Promise<string[]>): Promise<void> {
  const events = await ctx.db.transaction((sql) => record(sql, ctx.clock()))
  for (const event of events) notify(ctx, 'delivery', event)
}

/** Tells once that the items of a subscription wait for the quota or a spending limit. */
export const holdAndTell = (ctx: SettleContext, item: ClaimedItem, reason: 'quota' | 'spend'): Promise<void> =>
  tell(ctx, async (sql, now) =>
    (await holdSubscription(sql, item.subscriptionId, reason))
      ? recordEvent(sql, toldOf(item), newId(), buildHold(toldOf(item), reason, now))
      : [],
  )

/** Pauses the subscription of an account whose plan no longer includes it, and tells once. */
export const pauseForPlan = (ctx: SettleContext, item: ClaimedItem): Promise<void> =>
  tell(ctx, (sql, now) => recordPause(sql, toldOf(item), now))

/** Does the same in a transaction. Returns the events. */
export const recordPause = async (sql: Sql, told: ToldSubscription, now: Date): Promise<string[]> =>
  (await pauseSubscriptionRow(sql, told.id, 'plan', now))
    ? recordEvent(sql, told, newId(), buildHold(told, 'plan', now))
    : []
