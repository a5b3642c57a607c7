import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '@subtext/db'

/**
 * Simulates a second worker on the same job: repeats the writes that end a job for jobs that have just ended. The database
 * must refuse all of them.
 */
export interface SecondWriter {
  /** Returns the number of refused writes. */
  refused(): number
  /** Returns the number of rows that the database accepted. */
  accepted(): number
  stop(): Promise<void>
}

const INTERVAL_MS = 400
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
  let accepted = 0
  const run = async (): Promise<void> => {
    for (let nth = 0; !stopping.signal.aborted; nth++) {
      try {
        accepted += (await db.query(REPEATS[nth % REPEATS.length] ?? '')).rowCount
      } catch (error) {
        // Any other error means that the database is unavailable.
        if ((error as { code?: string }).code === UNIQUE_VIOLATION) refused++
      }
      await sleep(INTERVAL_MS)
    }
  }
  const running = run()
  return {
    refused: () => refused,
    accepted: () => accepted,
    async stop() {
      stopping.abort()
      await running
    },
  }
}
