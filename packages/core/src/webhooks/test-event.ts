import { validationError } from '@subtext/contracts'
import { v7 as newId } from 'uuid'
import type { Actor, Context } from '../context.ts'
import { notify } from '../coordination/notify.ts'
import type { ReservedResource } from '../idempotency/claim.ts'
import { assertWebhooksIncluded } from '../plans/gates.ts'
import type { CheckWebhookUrl } from './address-guard.ts'
import { buildEvent } from './event.ts'
import { recordWebhookEvent } from './events-sql.ts'
import { findWebhookDelivery, type StoredWebhookDelivery } from './log-sql.ts'
import { getDelivery } from './manage.ts'

interface TestContext extends Pick<Context, 'db' | 'notifier' | 'clock' | 'log'> {
  submitPolicy: { checkWebhookUrl: CheckWebhookUrl }
}

/**
 * Sends a test event to the address, by the same path as any other event. With `reserved`, any number of calls create one
 * delivery. Errors: `PLAN_UPGRADE_REQUIRED`, `VALIDATION_ERROR` (an address that webhooks may not use).
 */
export async function sendTestEvent(
  ctx: TestContext,
  actor: Actor,
  url: string,
  reserved?: ReservedResource,
): Promise<StoredWebhookDelivery> {
  assertWebhooksIncluded(actor)
  const earlier = reserved?.mayExist ? await findWebhookDelivery(ctx.db, actor.userId, reserved.id) : null
  if (earlier) return earlier
  const problem = await ctx.submitPolicy.checkWebhookUrl(url)
  if (problem) throw validationError([{ path: 'url', message: problem, code: 'invalid_webhook_url' }])

  const deliveryId = reserved?.id ?? newId()
  const event = buildEvent('webhook.test', ctx.clock(), {
    test: true,
    message: 'This is a test event, sent on request. Nothing has happened.',
  })
  try {
    // The event has no job or batch to refer to, so it refers to itself.
    await recordWebhookEvent(ctx.db, { ...event, deliveryId, userId: actor.userId, subjectId: event.id, url })
  } catch (error) {
    // A concurrent call with the same idempotency key may have created it a moment ago.
    const concurrent = reserved ? await findWebhookDelivery(ctx.db, actor.userId, reserved.id) : null
    if (concurrent) return concurrent
    throw error
  }
  notify(ctx, 'delivery', deliveryId)
  return getDelivery(ctx, actor, deliveryId)
}
