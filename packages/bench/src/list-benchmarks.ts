import type { Account } from './accounts.ts'
import { compareReads, keepAsText, type Stage } from './stage.ts'
import type { Trial } from './trial.ts'

const JOBS = 1_000_000
const PAGE = 20
const CALLERS = 10
const LIST = '/api/v1/videos/'

/** Reads of the list of an account with a million jobs: its first page, and its last one both ways. */
export function listTrials(stage: Stage, say: (text: string) => void): Trial[] {
  const lastPage = JOBS / PAGE
  let seeded: Promise<void> | undefined
  const trial = (name: string, pathOf: () => Promise<string> | string): Trial => ({
    name: `list, ${name}, ${CALLERS} at once`,
    async run() {
      seeded ??= seedJobs(stage, say)
      await seeded
      const path = await pathOf()
      await keepAsText(stage, path, name)
      return compareReads(stage, { path, barePath: `/texts/${encodeURIComponent(name)}`, callers: CALLERS })
    },
  })
  return [
    trial('page 1', () => LIST),
    trial(`page ${lastPage.toLocaleString('en')} by cursor`, async () => {
      const cursor = await fetchCursor(stage, `${LIST}?offset=${JOBS - 2 * PAGE}`)
      return `${LIST}?cursor=${encodeURIComponent(cursor)}`
    }),
    trial(`page ${lastPage.toLocaleString('en')} by offset`, () => `${LIST}?offset=${JOBS - PAGE}`),
  ]
}

async function seedJobs({ lab, users }: Stage, say: (text: string) => void): Promise<void> {
  const [user] = users as [Account]
  say(`making ${JOBS.toLocaleString('en')} jobs`)
  // Ids rise with time, as those of the service do.
  await lab.db.query(
    `INSERT INTO jobs (id, user_id, status, lane, priority, video_id, options, progress, step, wake_at, created_at,
       updated_at, started_at, completed_at)
     SELECT ('0190' || lpad(to_hex(n), 8, '0') || '-7000-8000-000000000000')::uuid, $1, 'completed',
       'normal', 'normal', 'dQw4w9WgXcQ', '{}', 100, 'completed', now(), now(), now(), now(), now()
     FROM generate_series(1, $2::int) AS n`,
    [user.userId, JOBS],
  )
  await lab.db.query("DELETE FROM jobs WHERE user_id = $1 AND id::text NOT LIKE '0190%'", [user.userId])
  await lab.db.query('UPDATE users SET jobs_accepted = $2, jobs_failed = 0 WHERE id = $1', [user.userId, JOBS])
  await lab.db.query('VACUUM ANALYZE jobs')
}

async function fetchCursor({ ours, users }: Stage, path: string): Promise<string> {
  const [user] = users as [Account]
  const response = await fetch(`${ours.origin}${path}`, { headers: { authorization: `Bearer ${user.key}` } })
  const { data } = (await response.json()) as { data: { pagination: { next_cursor: string } } }
  return data.pagination.next_cursor
}
