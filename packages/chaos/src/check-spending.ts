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
  /** For each repeated call that a fault explains, the fault that started nearest to the first call. */
  causes: FaultPeriod[]
  captionFetches: number
  repeatedFetches: number
  violations: Record<string, unknown[]>
}

/** How long after a fault interrupted work may be repeated, in milliseconds. */
export const AFTERMATH_MS = 1_000
/**
 * A killed worker loses the calls that it had in flight. How many that are per summary depends on how much work the machine does
 * between two faults; how many they are per fault does not.
 */
const MAX_REPEATED_PER_FAULT = 1
/** With fewer faults, the mean says little. */
const MIN_FAULTS_FOR_MEAN = 20

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
  const calls = findRepeats(messagesApi.calls.map(({ promptHash, arrivedAt }) => ({ key: promptHash, arrivedAt })))
  const captions = findRepeats(
    platform.requests
      .filter(({ kind }) => kind === 'timedtext')
      .map(({ videoId, track, arrivedAt }) => ({ key: `${videoId} ${track}`, arrivedAt })),
  )
  const summaries = await countSummaries(db)
  const causeOf = (repeat: Repeat): FaultPeriod | undefined => {
    const distance = ({ from }: FaultPeriod) => Math.abs(from - repeat.from)
    return disturbances.filter((span) => overlaps(span, repeat)).sort((a, b) => distance(a) - distance(b))[0]
  }
  const isExplained = (repeat: Repeat, spans: readonly FaultPeriod[]) => spans.some((span) => overlaps(span, repeat))
  const faults = disturbances.length
  const tooMany = faults >= MIN_FAULTS_FOR_MEAN && calls.length > MAX_REPEATED_PER_FAULT * faults
  return {
    calls: messagesApi.calls.length,
    summaries,
    repeatedCalls: calls.length,
    causes: calls.flatMap((repeat) => causeOf(repeat) ?? []),
    captionFetches: platform.count({ kind: 'timedtext' }),
    repeatedFetches: captions.length,
    violations: {
      'more than one summary per fault was paid for again': tooMany ? [{ repeated: calls.length, faults }] : [],
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
}

/** Returns the requests that repeat an earlier one, each with the time span between the two. */
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
