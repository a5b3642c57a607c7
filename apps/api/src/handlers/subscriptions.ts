import type { subscriptions } from '@subtext/contracts'
import type { Actor } from '@subtext/core/context'
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
  type StoredSubscription,
  updateSubscription,
} from '@subtext/core/subscriptions'
import type { ApiContext } from '../context.ts'
import type { Handlers } from '../http/mount.ts'
import { presentCursorPage, presentPage } from '../presenters/page.ts'
import { presentCheck, presentItem, presentSubscription, subscriptionPath } from '../presenters/subscription.ts'

const present = ({ http }: ApiContext, owner: Actor, stored: StoredSubscription) =>
  presentSubscription(stored, { origin: http.publicBaseUrl, owner })

export const subscriptionHandlers: Handlers<typeof subscriptions> = {
  create: async (ctx, { body }, { actor, resource, abortSignal }) => {
    const created = await createSubscription(ctx, actor, body, { reserved: resource, signal: abortSignal() })
    return { headers: { Location: subscriptionPath(created.id) }, data: present(ctx, actor, created) }
  },
  list: async (ctx, { query }, { actor }) => {
    const page = await listSubscriptions(ctx, actor, query)
    return {
      data: {
        subscriptions: page.entries.map((each) => present(ctx, actor, each)),
        pagination: presentPage(page),
      },
    }
  },
  get: async (ctx, { params }, { actor }) => ({
    data: present(ctx, actor, await getSubscription(ctx, actor, params.subscription_id)),
  }),
  update: async (ctx, { params, body }, { actor }) => ({
    data: present(ctx, actor, await updateSubscription(ctx, actor, params.subscription_id, body)),
  }),
  delete: async (ctx, { params }, { actor }) => {
    await deleteSubscription(ctx, actor, params.subscription_id)
    return { empty: true }
  },
  pause: async (ctx, { params }, { actor }) => ({
    data: present(ctx, actor, await pauseSubscription(ctx, actor, params.subscription_id)),
  }),
  resume: async (ctx, { params }, { actor }) => ({
    data: present(ctx, actor, await resumeSubscription(ctx, actor, params.subscription_id)),
  }),
  check: async (ctx, { params }, { actor }) => ({
    data: present(ctx, actor, await checkSubscription(ctx, actor, params.subscription_id)),
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
