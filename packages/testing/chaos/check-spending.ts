import type { Db } from '@subtext/db'
import type { Arena } from './arena.ts'

/** Milliseconds since the epoch. */
export interface Span {
  from: number
  to: number
}

export interface Spending {
  calls: number
  summaries: number
  /** Calls beyond the first for the same summary. */
  extraCalls: number
  /** The fault that made it necessary, for each of those that a fault explains. */
  causes: Span[]
  captionFetches: number
  extraCaptions: number
  violations: Record<string, unknown[]>
}

const MAX_EXTRA_SHARE = 0.02
/** With fewer summaries a single fault outweighs the share. */
const ENOUGH_SUMMARIES = 1_000

/**
 * Work is paid for once; done again it is only where a fault came in between, and seldom. `disturbances`: when work could
 * be interrupted.
 */
export async function checkSpending(
  { db, messagesApi, platform }: Pick<Arena, 'db' | 'messagesApi' | 'platform'>,
  disturbances: Span[],
): Promise<Spending> {
  const calls = findRepeats(messagesApi.calls.map(({ promptHash, arrivedAt }) => ({ key: promptHash, arrivedAt })))
  const captions = findRepeats(
    platform.requests
      .filter(({ kind }) => kind === 'timedtext')
      .map(({ videoId, track, arrivedAt }) => ({ key: `${videoId} ${track}`, arrivedAt })),
  )
  const summaries = await countSummaries(db)
  const causeOf = ({ from, to }: Repeat) => disturbances.find((span) => span.from <= to && span.to >= from)
  const unexplained = (repeats: Repeat[]) => repeats.filter((repeat) => !causeOf(repeat))
  const tooMuch = summaries >= ENOUGH_SUMMARIES && calls.length > MAX_EXTRA_SHARE * summaries
  return {
    calls: messagesApi.calls.length,
    summaries,
    extraCalls: calls.length,
    causes: calls.flatMap((repeat) => causeOf(repeat) ?? []),
    captionFetches: platform.count({ kind: 'timedtext' }),
    extraCaptions: captions.length,
    violations: {
      'more than 2 % of the summaries were paid for again': tooMuch ? [{ extra: calls.length, summaries }] : [],
      'a summary was paid for again for no reason': unexplained(calls),
      'captions were fetched again for no reason': unexplained(captions),
    },
  }
}

interface Repeat extends Span {
  key: string
}

/** Requests that came before, each with the time between the two. */
function findRepeats(requests: { key: string; arrivedAt: number }[]): Repeat[] {
  const last = new Map<string, number>()
  const repeats: Repeat[] = []
  for (const { key, arrivedAt } of requests) {
    const before = last.get(key)
    if (before !== undefined) repeats.push({ key, from: before, to: arrivedAt })
    last.set(key, arrivedAt)
  }
  return repeats
}

async function countSummaries(db: Db): Promise<number> {
  const { rows } = await db.query<{ count: number }>('SELECT count(*)::int AS count FROM summaries')
  return rows[0]?.count ?? 0
}
