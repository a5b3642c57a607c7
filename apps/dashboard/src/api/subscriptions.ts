import type { Subscription } from '@subtext/sdk'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { subtext } from './client.ts'

/** How the keys of everything about subscriptions begin. */
const SUBSCRIPTIONS_KEY = ['subscriptions']
const subscriptionKey = (id: string): string[] => ['subscription', id]

/** All subscriptions of the account: there are fewer than a page holds. */
export const subscriptionsQuery = queryOptions({
  queryKey: SUBSCRIPTIONS_KEY,
  queryFn: async () => (await subtext.subscriptions.list().page()).items,
})

export const subscriptionQuery = (id: string) =>
  queryOptions({
    queryKey: [...subscriptionKey(id), 'itself'],
    queryFn: () => subtext.subscriptions.get(id),
  })

export const subscriptionItemsKey = (id: string): string[] => [...subscriptionKey(id), 'items']
export const subscriptionChecksKey = (id: string): string[] => [...subscriptionKey(id), 'checks']

export const feedsQuery = queryOptions({
  queryKey: ['feeds'],
  queryFn: () => subtext.feeds.list(),
})

/** Shows a subscription as it has become, and loads again what may have changed with it. */
export async function rememberSubscription(queries: QueryClient, changed: Subscription): Promise<void> {
  const { subscription_id: id } = changed
  await queries.cancelQueries({ queryKey: subscriptionKey(id) })
  queries.setQueryData(subscriptionQuery(id).queryKey, changed)
  await Promise.all([
    queries.invalidateQueries({ queryKey: SUBSCRIPTIONS_KEY }),
    queries.invalidateQueries({ queryKey: subscriptionItemsKey(id) }),
    queries.invalidateQueries({ queryKey: subscriptionChecksKey(id) }),
  ])
}

/** Forgets a subscription that has ended, with the feeds that ended with it. */
export async function forgetSubscription(queries: QueryClient, id: string): Promise<void> {
  queries.removeQueries({ queryKey: subscriptionKey(id), type: 'inactive' })
  await queries.invalidateQueries({ queryKey: SUBSCRIPTIONS_KEY })
  await queries.invalidateQueries(feedsQuery)
}

const LOOK_MS = 1_500
const MAX_LOOKS = 30

/** Has the source looked at, and returns the subscription when that is over, or after most of a minute. */
export async function checkNow(id: string): Promise<Subscription> {
  const asked = await subtext.subscriptions.check(id)
  let known = asked
  for (let looks = 0; looks < MAX_LOOKS && known.last_checked_at === asked.last_checked_at; looks++) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    known = await subtext.subscriptions.get(id)
  }
  return known
}
