import type { Subscription, SubscriptionItem, SummaryMode } from '@subtext/sdk'
import type { CommandContext } from '../context.ts'
import { type ExitCode, OK } from '../exit-codes.ts'
import { formatTable, toLine } from '../table.ts'

interface WatchOptions {
  notify?: boolean
  mode?: string
  match?: string[]
  catchUp?: number
  maxPerDay?: number
  webhook?: string
  email?: 'each' | 'daily' | 'weekly'
  json?: boolean
}

/** Follows a playlist or a channel, and prints the subscription. */
export async function watchSource(ctx: CommandContext, url: string, options: WatchOptions): Promise<ExitCode> {
  const { subscriptions } = await ctx.connect()
  const { notify, mode, match, catchUp, maxPerDay, webhook, email, json } = options
  const hasDelivery = webhook !== undefined || email !== undefined
  const created = await subscriptions.create(
    {
      url,
      action: notify ? 'notify' : 'process',
      // The service says which modes there are if one of them is unknown.
      ...(mode !== undefined && {
        options: { summary_modes: mode.split(',').map((each) => each.trim()) as SummaryMode[] },
      }),
      ...(match && { match: { any: match } }),
      catch_up: catchUp,
      max_per_day: maxPerDay,
      ...(hasDelivery && { deliver: { webhook_url: webhook, email } }),
    },
    { signal: ctx.signal },
  )
  if (json) ctx.print(JSON.stringify(created))
  else {
    ctx.print(created.subscription_id)
    ctx.note(`Follows ${created.source_title ?? created.source_url}. What becomes of its videos:`)
    ctx.note(`  subtext subscriptions ${created.subscription_id}`)
  }
  return OK
}

interface SubscriptionsOptions {
  pause?: boolean
  resume?: boolean
  check?: boolean
  delete?: boolean
  limit?: number
  json?: boolean
}

/** Prints the subscriptions of the account, or the items of one. */
export async function showSubscriptions(
  ctx: CommandContext,
  id: string | undefined,
  options: SubscriptionsOptions,
): Promise<ExitCode> {
  return id === undefined ? listAll(ctx, options) : changeOrList(ctx, id, options)
}

async function listAll(ctx: CommandContext, { json }: SubscriptionsOptions): Promise<ExitCode> {
  const { subscriptions } = await ctx.connect()
  const all: Subscription[] = []
  for await (const subscription of subscriptions.list({}, { signal: ctx.signal })) all.push(subscription)
  if (json) ctx.print(JSON.stringify(all))
  else if (all.length === 0) ctx.note('You follow nothing yet: subtext watch URL')
  else ctx.print(formatTable(all.map(describeSubscription)))
  return OK
}

async function changeOrList(ctx: CommandContext, id: string, options: SubscriptionsOptions): Promise<ExitCode> {
  const { subscriptions } = await ctx.connect()
  const { signal } = ctx
  const { pause, resume, check, limit = 50, json } = options
  if (options.delete) {
    await subscriptions.delete(id, { signal })
    ctx.note('The subscription has ended.')
    return OK
  }
  if (pause) await subscriptions.pause(id, { signal })
  if (resume) await subscriptions.resume(id, { signal })
  if (check) await subscriptions.check(id, { signal })
  const subscription = await subscriptions.get(id, { signal })
  const items: SubscriptionItem[] = []
  for await (const item of subscriptions.items(id, { limit: Math.min(100, limit) }, { signal })) {
    if (items.length >= limit) break
    items.push(item)
  }
  if (json) ctx.print(JSON.stringify({ ...subscription, items }))
  else {
    ctx.note(describeSubscription(subscription).join('  '))
    if (items.length > 0) ctx.print(formatTable(items.map(describeItem)))
  }
  return OK
}

const describeSubscription = ({
  subscription_id,
  action,
  status,
  reason,
  source_title,
  source_url,
}: Subscription): string[] => [
  subscription_id,
  action,
  reason === undefined ? status : `${status} (${reason})`,
  toLine(source_title ?? source_url),
]

const describeItem = ({ video_url, state, reason, title }: SubscriptionItem): string[] => [
  video_url,
  state,
  reason?.replaceAll('_', ' ') ?? '-',
  toLine(title),
]
