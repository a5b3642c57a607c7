import { DELIVERY_STATUSES, type DeliveryStatus, ServiceError, type WebhookEventType } from '@subtext/contracts'
import { validate as isUuid } from 'uuid'
import type { Actor, Context, PrismaContext } from '../context.ts'
import { notify } from '../coordination/notify.ts'
import { createCursors, type PageOfList, type PageQuery, readPage } from '../cursor.ts'
import { assertWebhooksIncluded } from '../plans/gates.ts'
import { queueRedelivery } from './events-sql.ts'
import {
  findSentBody,
  findWebhookDelivery,
  listWebhookDeliveries,
  type StoredAttempt,
  type StoredWebhookDelivery,
} from './log-sql.ts'

const MAX_SHOWN_ATTEMPTS = 100
const MAX_SHOWN_BYTES = 100_000
/** Two requests within this time count as one. */
const DOUBLE_CLICK_SECONDS = 2

export interface DeliveryListQuery extends PageQuery {
  status?: DeliveryStatus | undefined
  event?: WebhookEventType | undefined
  jobId?: string | undefined
}

export interface DeliveryList extends PageOfList {
  deliveries: StoredWebhookDelivery[]
}

/**
 * Returns the actor's deliveries, newest first. Errors: `PLAN_UPGRADE_REQUIRED`, and `VALIDATION_ERROR` for a cursor of
 * another account or other filters, or one sent together with an offset.
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

/**
 * Returns a delivery of the actor. Errors: `PLAN_UPGRADE_REQUIRED`, and `NOT_FOUND` for an unknown or malformed ID, or one of
 * another account.
 */
export async function getDelivery(ctx: Pick<Context, 'db'>, actor: Actor, id: string): Promise<StoredWebhookDelivery> {
  assertWebhooksIncluded(actor)
  const delivery = isUuid(id) ? await findWebhookDelivery(ctx.db, actor.userId, id) : null
  if (!delivery) throw new ServiceError('NOT_FOUND')
  return delivery
}

/** Returns the latest attempts of a delivery of the actor, in order. */
export async function listAttempts(
  { db }: Pick<PrismaContext, 'db'>,
  { userId }: Actor,
  delivery: Pick<StoredWebhookDelivery, 'id'>,
): Promise<StoredAttempt[]> {
  const latest = await db.prisma.webhookAttempt.findMany({
    where: { deliveryId: delivery.id, delivery: { userId } },
    omit: { deliveryId: true },
    orderBy: { attemptNo: 'desc' },
    take: MAX_SHOWN_ATTEMPTS,
  })
  return latest.reverse()
}

/** Returns the beginning of the body of a delivery of the actor, as text, and the size of the whole. */
export async function readSentBody(
  { db }: Pick<Context, 'db'>,
  { userId }: Actor,
  { id }: Pick<StoredWebhookDelivery, 'id'>,
): Promise<{ text: string; bytes: number }> {
  const sent = await findSentBody(db, userId, id, MAX_SHOWN_BYTES)
  if (!sent) throw new ServiceError('NOT_FOUND')
  // As a stream, which leaves out a character that is cut.
  return { text: new TextDecoder().decode(sent.start, { stream: true }), bytes: sent.bytes }
}

/**
 * Delivers an event again, now, with the same ID and bytes, whatever its status. Does nothing while an attempt is running or
 * if the last such request was a moment ago. Errors: those of `getDelivery`.
 */
export async function redeliver(
  ctx: Pick<Context, 'db' | 'notifier' | 'log'>,
  actor: Actor,
  id: string,
): Promise<StoredWebhookDelivery> {
  const delivery = await getDelivery(ctx, actor, id)
  if (await queueRedelivery(ctx.db, actor.userId, delivery.id, DOUBLE_CLICK_SECONDS)) {
    notify(ctx, 'delivery', delivery.id)
  }
  return getDelivery(ctx, actor, id)
}
