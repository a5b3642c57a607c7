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
  /** For each of those that faults explain, the one that began nearest to the first call. */
  causes: Span[]
  captionFetches: number
  extraCaptions: number
  violations: Record<string, unknown[]>
}

/** Work that was interrupted may be taken up again so long after. */
export const AFTERMATH_MS = 1_000
const MAX_EXTRA_SHARE = 0.02
/** With fewer summaries a single fault outweighs the share. */
const ENOUGH_SUMMARIES = 1_000

interface Interruptions {
  disturbances: readonly Span[]
  /** They end a fetch that others wait for; summaries of a cancelled job are nobody else's. */
  cancellations: readonly Span[]
}

/** Work is paid for once; done again it is only where something interrupted it, and seldom. */
export async function checkSpending(
  { db, messagesApi, platform }: Pick<Arena, 'db' | 'messagesApi' | 'platform'>,
  { disturbances, cancellations }: Interruptions,
): Promise<Spending> {
  const calls = findRepeats(messagesApi.calls.map(({ promptHash, arrivedAt }) => ({ key: promptHash, arrivedAt })))
  const captions = findRepeats(
    platform.requests
      .filter(({ kind }) => kind === 'timedtext')
      .map(({ videoId, track, arrivedAt }) => ({ key: `${videoId} ${track}`, arrivedAt })),
  )
  const summaries = await countSummaries(db)
  const causeOf = (repeat: Repeat): Span | undefined => {
    const after = ({ from }: Span) => Math.abs(from - repeat.from)
    return disturbances.filter((span) => overlaps(span, repeat)).sort((a, b) => after(a) - after(b))[0]
  }
  const isExplained = (repeat: Repeat, spans: readonly Span[]) => spans.some((span) => overlaps(span, repeat))
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
      'a summary was paid for again for no reason': calls.filter((repeat) => !isExplained(repeat, disturbances)),
      'captions were fetched again for no reason': captions.filter(
        (repeat) => !isExplained(repeat, [...disturbances, ...cancellations]),
      ),
    },
  }
}

const overlaps = (a: Span, b: Span): boolean => a.from <= b.to && a.to >= b.from

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
