import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '@subtext/db'

/**
 * Plays the worker that ought not to be there: writes once more what belongs to the end of jobs that have just ended.
 * The database has to refuse every bit of it.
 */
export interface SecondWriter {
  /** Rows it was refused, and rows it got in. */
  refused(): number
  written(): number
  stop(): Promise<void>
}

const EVERY_MS = 400
const UNIQUE_VIOLATION = '23505'

const ENDED = `SELECT id FROM jobs WHERE completed_at > now() - interval '5 seconds' ORDER BY random() LIMIT 1`
const REPEATS = [
  `INSERT INTO webhook_events (id, user_id, type, subject_id, body, created_at)
   SELECT gen_random_uuid(), user_id, type, subject_id, body, now() FROM webhook_events WHERE subject_id = (${ENDED})`,
  `INSERT INTO usage_entries SELECT u.* FROM usage_entries u WHERE job_id = (${ENDED})`,
  `INSERT INTO quota_entries SELECT q.* FROM quota_entries q WHERE job_id = (${ENDED})`,
  `INSERT INTO results SELECT r.* FROM results r WHERE job_id = (${ENDED})`,
]

export function startSecondWriter(db: Db): SecondWriter {
  const stopping = new AbortController()
  let refused = 0
  let written = 0
  const run = async (): Promise<void> => {
    for (let nth = 0; !stopping.signal.aborted; nth++) {
      try {
        written += (await db.query(REPEATS[nth % REPEATS.length] ?? '')).rowCount
      } catch (error) {
        // Anything else: the database is away.
        if ((error as { code?: string }).code === UNIQUE_VIOLATION) refused++
      }
      await sleep(EVERY_MS)
    }
  }
  const running = run()
  return {
    refused: () => refused,
    written: () => written,
    async stop() {
      stopping.abort()
      await running
    },
  }
}
