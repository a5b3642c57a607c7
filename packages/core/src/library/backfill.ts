import { setTimeout as sleep } from 'node:timers/promises'
import type { Cue } from '@subtext/contracts'
import { v4 as randomId } from 'uuid'
import type { Context } from '../context.ts'
import { acquireLease } from '../coordination/index.ts'
import { readAllCues, UnreadableTranscriptError } from '../transcripts/index.ts'
import {
  type BackfillPosition,
  findBackfillPosition,
  findPendingEntry,
  indexEntry,
  type PendingEntry,
  saveBackfillPosition,
  seedEntries,
} from './entries-sql.ts'

/** Lists what a transcript is found by. */
export type IndexTranscript = (
  transcript: { cues: Cue[]; language: string },
  signal: AbortSignal,
) => Promise<{ tsvector: string; isPartial: boolean }>

type FillContext = Pick<Context, 'db' | 'clock' | 'log'>

const JOBS_PER_WINDOW = 200
const ROUNDS = 2
/** An upgrade is over by then. */
const ROUND_PAUSE_MS = 3_600_000
const FIRST = '00000000-0000-0000-0000-000000000000'
/** Time spent on work in one round, and the pause after each piece of work, so that it takes a tenth of a processor at most. */
const ROUND_MS = 2_000
const PAUSE_FACTOR = 9
const LEASE_SECONDS = 60

export interface LibraryFiller {
  /**
   * Adds jobs from before there was a library, and indexes what has yet to be indexed, for about two seconds. Of all workers, one
   * does so. What is interrupted is repeated.
   */
  fill(stopping: AbortSignal): Promise<void>
}

/** Creates what fills libraries in the background. */
export function createLibraryFiller(ctx: FillContext, index: IndexTranscript): LibraryFiller {
  const token = randomId()
  let isSeeded = false
  const fillNext = async (stopping: AbortSignal): Promise<boolean> => {
    const pending = await findPendingEntry(ctx.db)
    if (pending) {
      await indexPending(ctx, pending, index, stopping)
      return true
    }
    if (isSeeded) return false
    const position = await findBackfillPosition(ctx.db)
    isSeeded = position.round > ROUNDS
    return !isSeeded && seedNext(ctx, position)
  }
  return {
    async fill(stopping) {
      if (!(await acquireLease(ctx.db, 'library backfill', token, LEASE_SECONDS))) return
      const end = performance.now() + ROUND_MS
      while (!stopping.aborted && performance.now() < end) {
        const start = performance.now()
        if (!(await fillNext(stopping))) return
        const pauseMs = (performance.now() - start) * PAUSE_FACTOR
        await sleep(pauseMs, undefined, { signal: stopping }).catch(() => {})
      }
    },
  }
}

/** Adds the jobs of the next window. Returns false if nothing is left to do for now. */
async function seedNext(ctx: FillContext, { position, round, roundAt }: BackfillPosition): Promise<boolean> {
  const isWaiting = round > 1 && position === FIRST && ctx.clock().getTime() < roundAt.getTime() + ROUND_PAUSE_MS
  if (isWaiting) return false
  const last = await seedEntries(ctx.db, position, JOBS_PER_WINDOW)
  await saveBackfillPosition(ctx.db, last === null ? { position: FIRST, round: round + 1 } : { position: last, round })
  return true
}

/**
 * Indexes an entry. One that cannot be indexed stays a candidate of every search, so that its text is looked into. Throws the
 * errors of the database, after which the entry is tried again.
 */
async function indexPending(
  ctx: FillContext,
  entry: PendingEntry,
  index: IndexTranscript,
  stopping: AbortSignal,
): Promise<void> {
  try {
    const cues = await readAllCues(ctx.db, entry.transcriptId, entry.cueCount)
    const terms = await index({ cues, language: entry.language }, stopping).catch((error: unknown) => {
      throw new UnindexableError(error)
    })
    await indexEntry(ctx.db, entry, terms)
  } catch (error) {
    if (stopping.aborted) return
    if (!isAboutEntry(error)) throw error
    ctx.log.warn('library entry not indexed', { job_id: entry.jobId, error: (error as Error).message })
    await indexEntry(ctx.db, entry, { tsvector: '', isPartial: true })
  }
}

class UnindexableError extends Error {
  constructor(cause: unknown) {
    super(`The words could not be listed: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

/** Classes of PostgreSQL's codes for values that it refuses: malformed ones, and those beyond its limits. */
const REFUSED_VALUE = /^(?:22|54)/

const isAboutEntry = (error: unknown): boolean =>
  error instanceof UnindexableError ||
  error instanceof UnreadableTranscriptError ||
  REFUSED_VALUE.test(String((error as { code?: unknown }).code))
