import type { Actor, Context } from '../context.ts'
import {
  type EndpointUsage,
  type KeyUsage,
  listEndpointUsage,
  listKeyUsage,
  listModeUsage,
  type ModeUsage,
} from './breakdown-sql.ts'

const DAY_MS = 86_400_000
const DEFAULT_DAYS = 30

export interface KeyUsageBreakdown {
  start: Date
  end: Date
  endpoints: EndpointUsage[]
  modes: ModeUsage[]
  keys: KeyUsage[]
}

/**
 * Returns the usage of the calling key by endpoint, summary mode and key; for a person who has signed in, that of the whole
 * account. The range is rounded outwards to UTC days. Without a start, it is the 30 days before its end.
 */
export async function getUsageBreakdown(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  range: { start: Date | null; end: Date | null },
): Promise<KeyUsageBreakdown> {
  const until = range.end ?? ctx.clock()
  const end = new Date(Math.ceil(until.getTime() / DAY_MS) * DAY_MS)
  const from = range.start ?? new Date(end.getTime() - DEFAULT_DAYS * DAY_MS)
  const days = { start: new Date(Math.floor(from.getTime() / DAY_MS) * DAY_MS), end }
  const [endpoints, modes, keys] = await Promise.all([
    listEndpointUsage(ctx.db, actor, days),
    listModeUsage(ctx.db, actor, days),
    listKeyUsage(ctx.db, actor, days),
  ])
  return { ...days, endpoints, modes, keys }
}
