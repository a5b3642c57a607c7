import { API_VERSION, validationError } from '@subtext/contracts'
import { findWebhookDelivery, recordWebhookEvent, type WebhookDelivery } from '@subtext/db'
import { v7 as newId } from 'uuid'
import type { Actor, Context } from '../context.ts'
import { notify } from '../coordination/notify.ts'
import type { ReservedResource } from '../idempotency/claim.ts'
import { assertWebhooksIncluded } from '../plans/gates.ts'
import type { CheckWebhookUrl } from './address-guard.ts'
import { getDelivery } from './manage.ts'

interface TestContext extends Pick<Context, 'db' | 'notifier' | 'clock' | 'log'> {
  submitPolicy: { checkWebhookUrl: CheckWebhookUrl }
}

/**
 * Has an event that tells of nothing delivered to the address, as any other; with `reserved`, any number of calls make one
 * delivery. Errors: `PLAN_UPGRADE_REQUIRED`, `VALIDATION_ERROR` (an address that no webhook may have).
 */
export async function sendTestEvent(
  ctx: TestContext,
  actor: Actor,
  url: string,
  reserved?: ReservedResource,
): Promise<WebhookDelivery> {
  assertWebhooksIncluded(actor)
  const made = reserved?.mayExist ? await findWebhookDelivery(ctx.db, actor.userId, reserved.id) : null
  if (made) return made
  const fault = await ctx.submitPolicy.checkWebhookUrl(url)
  if (fault) throw validationError([{ path: 'url', message: fault, code: 'invalid_webhook_url' }])

  const deliveryId = reserved?.id ?? newId()
  const id = newId()
  const createdAt = ctx.clock()
  const event = {
    ...{ id, event: 'webhook.test', created_at: createdAt, api_version: API_VERSION },
    data: { test: true, message: 'A test event, sent on request: nothing has happened.' },
  }
  try {
    await recordWebhookEvent(ctx.db, {
      ...{ id, deliveryId, userId: actor.userId, type: 'webhook.test', url, createdAt },
      // It tells of nothing but itself.
      subjectId: id,
      body: Buffer.from(JSON.stringify(event)),
    })
  } catch (error) {
    // Whoever held the key before may have made it a moment ago.
    const meanwhile = reserved ? await findWebhookDelivery(ctx.db, actor.userId, reserved.id) : null
    if (meanwhile) return meanwhile
    throw error
  }
  notify(ctx, 'delivery', deliveryId)
  return getDelivery(ctx, actor, deliveryId)
}
