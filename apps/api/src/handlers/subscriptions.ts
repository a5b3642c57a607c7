import type { subscriptions } from '@subtext/contracts'
import {
  checkSubscription,
  createSubscription,
  deleteSubscription,
  getSubscription,
  listChecks,
  listItems,
  listSubscriptions,
  pauseSubscription,
  resumeSubscription,
  retryItem,
  updateSubscription,
} from '@subtext/core/subscriptions'
import type { Handlers } from '../http/mount.ts'
import { presentCursorPage, presentPage } from '../presenters/page.ts'
import { presentCheck, presentItem, presentSubscription, subscriptionPath } from '../presenters/subscription.ts'

export const subscriptionHandlers: Handlers<typeof subscriptions> = {
  create: async (ctx, { body }, { actor, resource, abortSignal }) => {
    const created = await createSubscription(ctx, actor, body, { reserved: resource, signal: abortSignal() })
    return {
      headers: { Location: subscriptionPath(created.id) },
      data: presentSubscription(created, ctx.http.publicBaseUrl),
    }
  },
  list: async (ctx, { query }, { actor }) => {
    const page = await listSubscriptions(ctx, actor, query)
    return {
      data: {
        subscriptions: page.entries.map((each) => presentSubscription(each, ctx.http.publicBaseUrl)),
        pagination: presentPage(page),
      },
    }
  },
  get: async (ctx, { params }, { actor }) => ({
    data: presentSubscription(await getSubscription(ctx, actor, params.subscription_id), ctx.http.publicBaseUrl),
  }),
  update: async (ctx, { params, body }, { actor }) => ({
    data: presentSubscription(
      await updateSubscription(ctx, actor, params.subscription_id, body),
      ctx.http.publicBaseUrl,
    ),
  }),
  delete: async (ctx, { params }, { actor }) => {
    await deleteSubscription(ctx, actor, params.subscription_id)
    return { empty: true }
  },
  pause: async (ctx, { params }, { actor }) => ({
    data: presentSubscription(await pauseSubscription(ctx, actor, params.subscription_id), ctx.http.publicBaseUrl),
  }),
  resume: async (ctx, { params }, { actor }) => ({
    data: presentSubscription(await resumeSubscription(ctx, actor, params.subscription_id), ctx.http.publicBaseUrl),
  }),
  check: async (ctx, { params }, { actor }) => ({
    data: presentSubscription(await checkSubscription(ctx, actor, params.subscription_id), ctx.http.publicBaseUrl),
  }),
  items: async (ctx, { params, query }, { actor }) => {
    const { entries, nextCursor } = await listItems(ctx, actor, params.subscription_id, query)
    return { data: { items: entries.map(presentItem), pagination: presentCursorPage(query.limit, nextCursor) } }
  },
  retry: async (ctx, { params }, { actor }) => ({
    data: presentItem(await retryItem(ctx, actor, params.subscription_id, params.video_id)),
  }),
  checks: async (ctx, { params, query }, { actor }) => {
    const { entries, nextCursor } = await listChecks(ctx, actor, params.subscription_id, query)
    return { data: { checks: entries.map(presentCheck), pagination: presentCursorPage(query.limit, nextCursor) } }
  },
}
