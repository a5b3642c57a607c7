import type { Db } from '@subtext/db'
import type { ChaosTestBed } from './test-bed.ts'

/** Milliseconds since the epoch. */
export interface FaultPeriod {
  from: number
  to: number
}

export interface SpendingReport {
  calls: number
  summaries: number
  /** Calls after the first for the same summary. */
  repeatedCalls: number
  /** Those whose earlier call was cut off before its answer: nobody could have kept it. */
  cutOff: number
  /** For each repeated call that a fault explains, the fault that started nearest to the first call. */
  causes: FaultPeriod[]
  captionFetches: number
  repeatedFetches: number
  violations: Record<string, unknown[]>
}

/** How long after a fault interrupted work may be repeated, in milliseconds. */
export const AFTERMATH_MS = 1_000
/** Of the summaries whose answer had arrived. */
const MAX_REPEATED_SHARE = 0.02
/** With fewer summaries, a single fault exceeds the share. */
const MIN_SUMMARIES_FOR_SHARE = 1_000

interface Interruptions {
  disturbances: readonly FaultPeriod[]
  /** A cancellation may end a fetch that other jobs wait for. The summaries of a cancelled job are used by no other job. */
  cancellations: readonly FaultPeriod[]
  /** When the machine was too busy for processes to keep their leases. */
  starved: readonly FaultPeriod[]
}

/** Checks that work is paid for once, and repeated rarely and only where a fault interrupted it. */
export async function checkSpending(
  { db, messagesApi, platform }: Pick<ChaosTestBed, 'db' | 'messagesApi' | 'platform'>,
  { disturbances, cancellations, starved }: Interruptions,
): Promise<SpendingReport> {
  const calls = findRepeats(
    messagesApi.calls.map(({ promptHash, arrivedAt, aborted }) => ({ key: promptHash, arrivedAt, isCutOff: aborted })),
  )
  const captions = findRepeats(
    platform.requests
      .filter(({ kind }) => kind === 'timedtext')
      .map(({ videoId, track, arrivedAt }) => ({ key: `${videoId} ${track}`, arrivedAt, isCutOff: false })),
  )
  const summaries = await countSummaries(db)
  const causeOf = (repeat: Repeat): FaultPeriod | undefined => {
    const distance = ({ from }: FaultPeriod) => Math.abs(from - repeat.from)
    return disturbances.filter((span) => overlaps(span, repeat)).sort((a, b) => distance(a) - distance(b))[0]
  }
  const isExplained = (repeat: Repeat, spans: readonly FaultPeriod[]) => spans.some((span) => overlaps(span, repeat))
  const answered = calls.filter(({ isCutOff }) => !isCutOff)
  const tooMany = summaries >= MIN_SUMMARIES_FOR_SHARE && answered.length > MAX_REPEATED_SHARE * summaries
  return {
    calls: messagesApi.calls.length,
    summaries,
    repeatedCalls: calls.length,
    cutOff: calls.length - answered.length,
    causes: calls.flatMap((repeat) => causeOf(repeat) ?? []),
    captionFetches: platform.count({ kind: 'timedtext' }),
    repeatedFetches: captions.length,
    violations: {
      'more than 2% of the summaries were paid for again': tooMany ? [{ repeated: answered.length, summaries }] : [],
      'a summary was paid for again without a fault': calls.filter(
        (repeat) => !isExplained(repeat, [...disturbances, ...starved]),
      ),
      'captions were fetched again without a fault': captions.filter(
        (repeat) => !isExplained(repeat, [...disturbances, ...cancellations, ...starved]),
      ),
    },
  }
}

const overlaps = (a: FaultPeriod, b: FaultPeriod): boolean => a.from <= b.to && a.to >= b.from

interface Repeat extends FaultPeriod {
  key: string
  isCutOff: boolean
}

interface Request {
  key: string
  arrivedAt: number
  /** Whether its sender was gone before the answer was sent. */
  isCutOff: boolean
}

/** Returns the requests that repeat an earlier one, each with the time span between the two. */
function findRepeats(requests: Request[]): Repeat[] {
  const last = new Map<string, Request>()
  const repeats: Repeat[] = []
  for (const request of requests) {
    const { key, arrivedAt } = request
    const before = last.get(key)
    if (before) repeats.push({ key, from: before.arrivedAt, to: arrivedAt, isCutOff: before.isCutOff })
    last.set(key, request)
  }
  return repeats
}

async function countSummaries(db: Db): Promise<number> {
  const { rows } = await db.query<{ count: number }>('SELECT count(*)::int AS count FROM summaries')
  return rows[0]?.count ?? 0
}
