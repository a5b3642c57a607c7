import { randomBytes } from 'node:crypto'
import {
  MATCH_NEEDS_PROCESS,
  MAX_SUBSCRIPTIONS,
  type NewSubscription,
  ServiceError,
  type SubscriptionItemState,
  type SubscriptionUpdate,
  type ValidationIssue,
  validationError,
} from '@subtext/contracts'
import { validate as isUuid, v7 as newId } from 'uuid'
import type { Actor } from '../context.ts'
import { notify } from '../coordination/notify.ts'
import { createCursors, type PageOfList, type PageQuery, readPage } from '../cursor.ts'
import type { ReservedResource } from '../idempotency/claim.ts'
import { findWebhookIssues, type SubmitPolicy } from '../jobs/submit.ts'
import { assertSubscriptionsIncluded, findViolations, refuseViolations } from '../plans/gates.ts'
import type { AccountSource } from '../sources/index.ts'
import {
  askForSource,
  awaitSource,
  type FeedPolicy,
  getSource,
  type SourceContext,
  sourceErrorOf,
  statusOf,
} from '../sources/sources.ts'
import { findLimitIssues } from '../spending/admit.ts'
import { bindOwnTemplates } from './bind-templates.ts'
import { findItem, listSubscriptionItems, retryItemRow, type StoredItem } from './items-sql.ts'
import {
  deleteOwnSubscription,
  findSubscription,
  insertSubscription,
  listOwnSubscriptions,
  pauseSubscriptionRow,
  resumeSubscriptionRow,
  type StoredSubscription,
  type SubscriptionSettings,
  updateSettings,
} from './subscriptions-sql.ts'
import { listSourceChecks, lookNow, type StoredCheck } from './watches-sql.ts'

export interface SubscriptionContext extends SourceContext {
  submitPolicy: SubmitPolicy
  feeds: FeedPolicy
}

const FIRST_LISTING_SECONDS = 5

/**
 * Follows a source. With `reserved`, any number of calls make one subscription. Errors: `PLAN_UPGRADE_REQUIRED`,
 * `VALIDATION_ERROR`, `NOT_FOUND`, `SUBSCRIPTION_LIMIT_REACHED`, and that of a source that cannot be listed.
 */
export async function createSubscription(
  ctx: SubscriptionContext,
  actor: Actor,
  request: NewSubscription,
  { reserved, signal }: { reserved?: ReservedResource | undefined; signal: AbortSignal },
): Promise<StoredSubscription> {
  assertSubscriptionsIncluded(actor)
  const earlier = reserved?.mayExist ? await findSubscription(ctx.db, actor.userId, reserved.id) : null
  if (earlier) return earlier
  const settings = readSettings(request)
  await assertSettings(ctx, actor, settings)
  const source = await findFollowed(ctx, actor, request, signal)
  const id = reserved?.id ?? newId()
  const isStored = await insertSubscription(
    ctx.db,
    {
      ...settings,
      id,
      userId: actor.userId,
      apiKeyId: actor.apiKeyId,
      accountSourceId: source.id,
      catchUp: request.catch_up,
      stopKey: randomBytes(32),
      createdAt: ctx.clock(),
    },
    MAX_SUBSCRIPTIONS,
  )
  if (!isStored) throw new ServiceError('SUBSCRIPTION_LIMIT_REACHED')
  notify(ctx, 'listing', source.sourceId)
  return getSubscription(ctx, actor, id)
}

async function findFollowed(
  ctx: SubscriptionContext,
  actor: Actor,
  { source_id, url }: Pick<NewSubscription, 'source_id' | 'url'>,
  signal: AbortSignal,
): Promise<AccountSource> {
  const source =
    source_id === undefined ? await findListed(ctx, actor, url ?? '', signal) : await getSource(ctx, actor, source_id)
  const error = statusOf(source) === 'failed' ? sourceErrorOf(source) : null
  if (error) throw error
  return source
}

/** Gives the account a source. Waits a moment for its first listing, so that an address that leads nowhere is refused. */
async function findListed(
  ctx: SubscriptionContext,
  actor: Actor,
  url: string,
  signal: AbortSignal,
): Promise<AccountSource> {
  const { source } = await askForSource(ctx, actor, { url, refresh: false, isFree: true }, signal)
  return statusOf(source) === 'listing' ? awaitSource(ctx, actor, source.id, FIRST_LISTING_SECONDS, signal) : source
}

type Settable = Pick<NewSubscription, 'action' | 'options' | 'priority'> &
  Pick<SubscriptionUpdate, 'filter' | 'match' | 'max_per_day' | 'deliver'>

const readSettings = ({
  action,
  options,
  priority,
  filter,
  match,
  max_per_day,
  deliver,
}: Settable): SubscriptionSettings => ({
  action,
  options,
  priority,
  filter: filter ?? null,
  match: match ?? null,
  maxPerDay: max_per_day ?? null,
  webhookUrl: deliver?.webhook_url ?? null,
  webhookFormat: deliver?.format ?? 'event',
  email: deliver?.email ?? null,
})

/** Checks settings like the request of a video that they will make. */
async function assertSettings(
  { db, submitPolicy }: Pick<SubscriptionContext, 'db' | 'submitPolicy'>,
  actor: Actor,
  { options, priority, webhookUrl, action, match }: SubscriptionSettings,
): Promise<void> {
  refuseViolations(actor, findViolations(actor, { options, priority, webhook_url: webhookUrl ?? undefined }))
  const limits = [{ path: 'options.max_cost_usd', limitUsd: options.max_cost_usd }]
  const webhookIssues = await findWebhookIssues(submitPolicy, webhookUrl ?? undefined)
  const { issues: templateIssues } = await bindOwnTemplates(db, actor.userId, options)
  const issues: ValidationIssue[] = [
    ...templateIssues,
    ...findLimitIssues(submitPolicy.spending, limits),
    ...webhookIssues.map((issue) => ({ ...issue, path: 'deliver.webhook_url' })),
  ]
  if (match && action !== 'process') {
    issues.push({ path: 'match', message: MATCH_NEEDS_PROCESS, code: 'conflicting_fields' })
  }
  if (issues.length > 0) throw validationError(issues)
}

type ReadContext = Pick<SourceContext, 'db'>

/** Returns a subscription of the actor. Error: `NOT_FOUND`. */
export async function getSubscription(
  { db }: ReadContext,
  { userId }: Pick<Actor, 'userId'>,
  id: string,
): Promise<StoredSubscription> {
  const found = isUuid(id) ? await findSubscription(db, userId, id) : null
  if (!found) throw new ServiceError('NOT_FOUND')
  return found
}

/** Lists the subscriptions of the actor, the newest first. */
export const listSubscriptions = (
  { db }: ReadContext,
  { userId }: Actor,
  query: PageQuery,
): Promise<{ entries: StoredSubscription[] } & PageOfList> =>
  readPage(query, createCursors({ list: `subscriptions ${userId}`, status: null }), (place) =>
    listOwnSubscriptions(db, userId, place),
  )

/** Changes a subscription. Errors: `NOT_FOUND`, `VALIDATION_ERROR`, `PLAN_UPGRADE_REQUIRED`. */
export async function updateSubscription(
  ctx: SubscriptionContext,
  actor: Actor,
  id: string,
  changes: SubscriptionUpdate,
): Promise<StoredSubscription> {
  const current = await getSubscription(ctx, actor, id)
  const { action, options, priority, filter, match, max_per_day, deliver } = changes
  const sent = readSettings({
    action: action ?? current.action,
    options: options ?? current.options,
    priority: priority ?? current.priority,
    filter,
    match,
    max_per_day,
    deliver,
  })
  const settings: SubscriptionSettings = {
    ...sent,
    ...(filter === undefined && { filter: current.filter }),
    ...(match === undefined && { match: current.match }),
    ...(max_per_day === undefined && { maxPerDay: current.maxPerDay }),
    ...(deliver === undefined && {
      webhookUrl: current.webhookUrl,
      webhookFormat: current.webhookFormat,
      email: current.email,
    }),
  }
  await assertSettings(ctx, actor, settings)
  await updateSettings(ctx.db, { userId: actor.userId, id: current.id }, settings, ctx.clock())
  return getSubscription(ctx, actor, id)
}

/** Ends a subscription. Error: `NOT_FOUND`. */
export async function deleteSubscription({ db }: ReadContext, { userId }: Actor, id: string): Promise<void> {
  if (!isUuid(id) || !(await deleteOwnSubscription(db, userId, id))) throw new ServiceError('NOT_FOUND')
}

/** Pauses a subscription. Error: `NOT_FOUND`. */
export async function pauseSubscription(ctx: SourceContext, actor: Actor, id: string): Promise<StoredSubscription> {
  const { id: known } = await getSubscription(ctx, actor, id)
  await pauseSubscriptionRow(ctx.db, known, 'requested', ctx.clock())
  return getSubscription(ctx, actor, id)
}

/** Resumes a subscription. Errors: `NOT_FOUND`, `PLAN_UPGRADE_REQUIRED`. */
export async function resumeSubscription(ctx: SourceContext, actor: Actor, id: string): Promise<StoredSubscription> {
  const { id: known, pausedFor, sourceId } = await getSubscription(ctx, actor, id)
  assertSubscriptionsIncluded(actor)
  if (pausedFor !== null) await resumeSubscriptionRow(ctx.db, known, ctx.clock())
  notify(ctx, 'listing', sourceId)
  return getSubscription(ctx, actor, id)
}

/** Has the source of a subscription looked at now. Errors: `NOT_FOUND`, `PLAN_UPGRADE_REQUIRED`. */
export async function checkSubscription(ctx: SourceContext, actor: Actor, id: string): Promise<StoredSubscription> {
  const { id: known, sourceId } = await getSubscription(ctx, actor, id)
  assertSubscriptionsIncluded(actor)
  await lookNow(ctx.db, known)
  notify(ctx, 'listing', sourceId)
  return getSubscription(ctx, actor, id)
}

interface CursorPage {
  limit: number
  cursor?: string | undefined
}

/** Reads a page of a list that is not counted, newest first. */
async function readUncounted<Entry extends { id: string }>(
  list: string,
  { limit, cursor }: CursorPage,
  read: (place: { before: string | null; limit: number }) => Promise<Entry[]>,
): Promise<{ entries: Entry[]; nextCursor: string | null }> {
  const cursors = createCursors({ list, status: null })
  const place = cursor === undefined ? null : cursors.decode(cursor)
  const found = await read({ before: place?.id ?? null, limit: limit + 1 })
  const entries = found.slice(0, limit)
  const last = entries.at(-1)
  const hasMore = last !== undefined && found.length > limit
  return { entries, nextCursor: hasMore ? cursors.encode({ id: last.id, passed: 0 }) : null }
}

/** Lists the items of a subscription. Errors: `NOT_FOUND`, `VALIDATION_ERROR` for a cursor of another list. */
export async function listItems(
  ctx: ReadContext,
  actor: Actor,
  id: string,
  { state = null, ...page }: CursorPage & { state?: SubscriptionItemState | null },
): Promise<{ entries: StoredItem[]; nextCursor: string | null }> {
  const { id: known } = await getSubscription(ctx, actor, id)
  return readUncounted(`items ${known} ${state ?? ''}`, page, (place) =>
    listSubscriptionItems(ctx.db, known, { state, ...place }),
  )
}

/** Lists the checks of the source of a subscription. Errors: those of `listItems`. */
export async function listChecks(
  ctx: ReadContext,
  actor: Actor,
  id: string,
  page: CursorPage,
): Promise<{ entries: StoredCheck[]; nextCursor: string | null }> {
  const { id: known, sourceId, createdAt } = await getSubscription(ctx, actor, id)
  return readUncounted(`checks ${known}`, page, (place) => listSourceChecks(ctx.db, sourceId, createdAt, place))
}

/** Has an item tried again at once. Errors: `NOT_FOUND`, `PLAN_UPGRADE_REQUIRED`. */
export async function retryItem(ctx: SourceContext, actor: Actor, id: string, videoId: string): Promise<StoredItem> {
  const { id: known } = await getSubscription(ctx, actor, id)
  assertSubscriptionsIncluded(actor)
  await retryItemRow(ctx.db, known, videoId, ctx.clock())
  const item = await findItem(ctx.db, known, videoId)
  if (!item) throw new ServiceError('NOT_FOUND')
  notify(ctx, 'listing', known)
  return item
}
