import type { WebhookEventType } from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import { v7 as newId } from 'uuid'
import { videoUrlOf } from '../videos/video-url.ts'
import { buildEvent, type WebhookEvent } from '../webhooks/event.ts'
import { recordWebhookEvent } from '../webhooks/index.ts'
import { writeChatMessage } from './chat-messages.ts'
import type { EndedItem } from './ended-item.ts'
import type { SubscriptionSettings } from './subscriptions-sql.ts'

/** What is told of a subscription. */
export interface ToldSubscription extends Pick<SubscriptionSettings, 'webhookUrl' | 'webhookFormat'> {
  id: string
  userId: string
  accountSourceId: string
}

type SubscriptionEventType = Extract<WebhookEventType, `subscription.${string}`>

/** `data` of an event about an item. */
export const describeItem = (
  { id, accountSourceId }: Pick<ToldSubscription, 'id' | 'accountSourceId'>,
  { videoId, videoUrl, title, state, reason, jobId }: EndedItem,
) => ({
  subscription_id: id,
  source_id: accountSourceId,
  video_id: videoId,
  video_url: videoUrlOf({ videoId, videoUrl }),
  title,
  state,
  ...(reason !== null && { reason }),
  ...(jobId && { job_id: jobId }),
})

/**
 * Records an event with its delivery, if the subscription has a webhook. Returns its ID. Belongs in the transaction that makes it a
 * fact. `subjectId`: the item, which has each event once, or something new.
 */
export async function recordEvent(
  sql: Sql,
  told: ToldSubscription,
  subjectId: string,
  event: WebhookEvent,
): Promise<string[]> {
  if (told.webhookUrl === null) return []
  await recordWebhookEvent(sql, {
    ...event,
    deliveryId: newId(),
    userId: told.userId,
    subjectId,
    url: told.webhookUrl,
  })
  return [event.id]
}

/** Returns an event about an item in the form that the receiver takes. `data`: of our own form. */
export function writeEvent(
  { webhookFormat }: ToldSubscription,
  type: SubscriptionEventType,
  { data, item, now }: { data: object; item: EndedItem; now: Date },
): WebhookEvent {
  const event = buildEvent(type, now, data)
  return webhookFormat === 'event' ? event : { ...event, body: Buffer.from(writeChatMessage(webhookFormat, item)) }
}

/** Records `subscription.video` for items that have ended without a result. */
export async function recordItemEvents(
  sql: Sql,
  told: ToldSubscription,
  items: readonly (EndedItem & { id: string })[],
  now: Date,
): Promise<string[]> {
  const recorded: string[] = []
  for (const item of told.webhookUrl === null ? [] : items) {
    const event = writeEvent(told, 'subscription.video', {
      data: describeItem(told, item),
      item,
      now,
    })
    recorded.push(...(await recordEvent(sql, told, item.id, event)))
  }
  return recorded
}
