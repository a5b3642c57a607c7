import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { requiresPlanFor } from '../plans.ts'
import { queryInteger } from '../query-values.ts'
import { CursorPagination, MAX_OFFSET, MAX_PAGE_SIZE, Pagination } from './list.ts'
import {
  ItemState,
  MAX_SUBSCRIPTIONS,
  NewSubscription,
  SourceCheck,
  Subscription,
  SubscriptionItem,
  SubscriptionUpdate,
} from './subscription.ts'

const NO_QUERY = z.strictObject({})
const SubscriptionParams = z.object({ subscription_id: z.string().meta({ format: 'uuid' }) })
const ItemParams = SubscriptionParams.extend({ video_id: z.string() })
const page = { limit: queryInteger(1, MAX_PAGE_SIZE).default(20).meta({ description: 'Maximum number per page.' }) }
const cursor = z.string().max(200).optional().meta({ description: '`next_cursor` of the previous page.' })
const MANAGED = ['NOT_FOUND', 'VALIDATION_ERROR'] as const
const GATED = [...MANAGED, 'PLAN_UPGRADE_REQUIRED'] as const

export const subscriptions = {
  create: defineRoute({
    method: 'post',
    path: '/subscriptions',
    operationId: 'createSubscription',
    summary: 'Follow a source',
    description: [
      'Looks at a playlist, a channel or a podcast regularly and processes or reports every new video. The first check records the videos that',
      'exist already as skipped, but for the newest `catch_up`. Every video has an item that says what became of it, and why.',
      `An account has at most ${MAX_SUBSCRIPTIONS} subscriptions. ${requiresPlanFor('subscriptions')}`,
    ].join(' '),
    access: 'write',
    query: NO_QUERY,
    body: NewSubscription,
    idempotent: true,
    response: Subscription,
    status: 201,
    responseHeaders: ['Location'],
    errors: [
      ...(['VALIDATION_ERROR', 'INVALID_JSON', 'PLAN_UPGRADE_REQUIRED', 'NOT_FOUND'] as const),
      ...(['SUBSCRIPTION_LIMIT_REACHED', 'SOURCE_UNAVAILABLE', 'UPSTREAM_BLOCKED', 'UPSTREAM_UNAVAILABLE'] as const),
    ],
    example: { body: { url: 'UC_x5XG1OV2P6uZZ5FSM9Ttw', action: 'process', catch_up: 2 } },
  }),
  list: defineRoute({
    method: 'get',
    path: '/subscriptions/',
    operationId: 'listSubscriptions',
    summary: 'List your subscriptions',
    description: 'Newest first.',
    access: 'read',
    query: z.strictObject({
      ...page,
      offset: queryInteger(0, MAX_OFFSET)
        .optional()
        .meta({ description: 'Number of newest subscriptions to skip. Cannot be combined with `cursor`.' }),
      cursor,
    }),
    response: z
      .object({ subscriptions: z.array(Subscription), pagination: Pagination })
      .meta({ id: 'SubscriptionList' }),
    status: 200,
    errors: ['VALIDATION_ERROR'],
  }),
  get: defineRoute({
    method: 'get',
    path: '/subscriptions/{subscription_id}',
    operationId: 'getSubscription',
    summary: 'Get a subscription',
    access: 'read',
    params: SubscriptionParams,
    query: NO_QUERY,
    response: Subscription,
    status: 200,
    errors: MANAGED,
  }),
  update: defineRoute({
    method: 'patch',
    path: '/subscriptions/{subscription_id}',
    operationId: 'updateSubscription',
    summary: 'Change a subscription',
    description: 'Applies to items that have not been decided yet.',
    access: 'write',
    params: SubscriptionParams,
    query: NO_QUERY,
    body: SubscriptionUpdate,
    response: Subscription,
    status: 200,
    errors: GATED,
    example: { body: { max_per_day: 5 } },
  }),
  delete: defineRoute({
    method: 'delete',
    path: '/subscriptions/{subscription_id}',
    operationId: 'deleteSubscription',
    summary: 'End a subscription',
    description: 'Deletes the subscription with its items and feeds. Jobs that it has submitted stay.',
    access: 'write',
    params: SubscriptionParams,
    query: NO_QUERY,
    status: 204,
    errors: MANAGED,
  }),
  pause: defineRoute({
    method: 'post',
    path: '/subscriptions/{subscription_id}/pause',
    operationId: 'pauseSubscription',
    summary: 'Pause a subscription',
    description: 'Jobs that have been submitted go on.',
    access: 'write',
    params: SubscriptionParams,
    query: NO_QUERY,
    response: Subscription,
    status: 200,
    errors: MANAGED,
  }),
  resume: defineRoute({
    method: 'post',
    path: '/subscriptions/{subscription_id}/resume',
    operationId: 'resumeSubscription',
    summary: 'Resume a subscription',
    description: 'Handles the videos that were published while it was paused.',
    access: 'write',
    params: SubscriptionParams,
    query: NO_QUERY,
    response: Subscription,
    status: 200,
    errors: GATED,
  }),
  check: defineRoute({
    method: 'post',
    path: '/subscriptions/{subscription_id}/check',
    operationId: 'checkSubscription',
    summary: 'Look at the source now',
    description: 'Lists the source, even if it was listed a moment ago. The result is among the checks.',
    access: 'write',
    params: SubscriptionParams,
    query: NO_QUERY,
    response: Subscription,
    status: 202,
    errors: GATED,
  }),
  items: defineRoute({
    method: 'get',
    path: '/subscriptions/{subscription_id}/items',
    operationId: 'listSubscriptionItems',
    summary: 'Items of a subscription',
    description: 'Every video that it has seen, what became of it, and why. Newest first.',
    access: 'read',
    params: SubscriptionParams,
    query: z.strictObject({
      state: ItemState.optional().meta({ description: 'Only items in this state.' }),
      limit: queryInteger(1, MAX_PAGE_SIZE).default(50).meta({ description: 'Maximum number of items per page.' }),
      cursor,
    }),
    response: z
      .object({ items: z.array(SubscriptionItem), pagination: CursorPagination })
      .meta({ id: 'SubscriptionItems' }),
    status: 200,
    errors: MANAGED,
  }),
  retry: defineRoute({
    method: 'post',
    path: '/subscriptions/{subscription_id}/items/{video_id}/retry',
    operationId: 'retrySubscriptionItem',
    summary: 'Try an item again',
    description:
      'Tries an item now that waits, has failed or was skipped, whatever the filter says. One that is being processed, or has been, stays as it is.',
    access: 'write',
    params: ItemParams,
    query: NO_QUERY,
    response: SubscriptionItem,
    status: 202,
    errors: GATED,
  }),
  checks: defineRoute({
    method: 'get',
    path: '/subscriptions/{subscription_id}/checks',
    operationId: 'listSubscriptionChecks',
    summary: 'Checks of the source',
    description: 'When its source was looked at, how, and what was found. Newest first, for 30 days.',
    access: 'read',
    params: SubscriptionParams,
    query: z.strictObject({ ...page, cursor }),
    response: z.object({ checks: z.array(SourceCheck), pagination: CursorPagination }).meta({ id: 'SourceChecks' }),
    status: 200,
    errors: MANAGED,
  }),
}
