import { DELIVERY_STATUSES, type DeliveryStatus, ServiceError, type WebhookEventType } from '@subtext/contracts'
import {
  findWebhookDelivery,
  listWebhookAttempts,
  listWebhookDeliveries,
  redeliver as redeliverStored,
  type WebhookAttempt,
  type WebhookDelivery,
} from '@subtext/db'
import { validate as isUuid } from 'uuid'
import type { Actor, Context } from '../context.ts'
import { notify } from '../coordination/notify.ts'
import { createCursors, type PageOfList, type PageQuery, readPage } from '../cursor.ts'
import { assertWebhooksIncluded } from '../plans/gates.ts'

const SHOWN_ATTEMPTS = 100
/** Two requests within it are one wish. */
const DOUBLE_CLICK_SECONDS = 2

export interface DeliveryListQuery extends PageQuery {
  status?: DeliveryStatus | undefined
  event?: WebhookEventType | undefined
  jobId?: string | undefined
}

export interface DeliveryList extends PageOfList {
  deliveries: WebhookDelivery[]
}

/**
 * The actor's deliveries, newest first. Errors: `PLAN_UPGRADE_REQUIRED`, `VALIDATION_ERROR` for a cursor that is not one of
 * ours for this account and these filters, or that comes with an offset.
 */
export async function listDeliveries(
  ctx: Pick<Context, 'db'>,
  actor: Actor,
  query: DeliveryListQuery,
): Promise<DeliveryList> {
  assertWebhooksIncluded(actor)
  const { status = null, event: type = null } = query
  const subjectId = query.jobId?.toLowerCase() ?? null
  const cursors = createCursors({
    list: `deliveries ${actor.userId} ${type} ${subjectId}`,
    status: status && DELIVERY_STATUSES.indexOf(status),
  })
  const { entries: deliveries, ...page } = await readPage(query, cursors, async (place) => {
    const filters = { status, type, subjectId }
    const { deliveries: entries, total } = await listWebhookDeliveries(ctx.db, actor.userId, filters, place)
    return { entries, total }
  })
  return { deliveries, ...page }
}

/** A delivery of the actor; a foreign, unknown or malformed id is `NOT_FOUND`. */
export async function getDelivery(ctx: Pick<Context, 'db'>, actor: Actor, id: string): Promise<WebhookDelivery> {
  assertWebhooksIncluded(actor)
  const delivery = isUuid(id) ? await findWebhookDelivery(ctx.db, actor.userId, id) : null
  if (!delivery) throw new ServiceError('NOT_FOUND')
  return delivery
}

/** The latest attempts of a delivery of the actor, in their order. */
export const listAttempts = (
  ctx: Pick<Context, 'db'>,
  actor: Actor,
  delivery: WebhookDelivery,
): Promise<WebhookAttempt[]> => listWebhookAttempts(ctx.db, actor.userId, delivery.id, SHOWN_ATTEMPTS)

/**
 * Has an event delivered again, now, with the same id and bytes, whatever has become of it. While it is being tried, and
 * within a moment of the last such request, nothing is added. Errors: as `getDelivery`.
 */
export async function redeliver(
  ctx: Pick<Context, 'db' | 'notifier' | 'log'>,
  actor: Actor,
  id: string,
): Promise<WebhookDelivery> {
  const delivery = await getDelivery(ctx, actor, id)
  if (await redeliverStored(ctx.db, actor.userId, delivery.id, DOUBLE_CLICK_SECONDS)) {
    notify(ctx, 'delivery', delivery.id)
  }
  return getDelivery(ctx, actor, id)
}
