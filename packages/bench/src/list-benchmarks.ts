import { at } from '@subtext/runtime'
import { type ApiSetup, compareReads, storeResponse } from './api-setup.ts'
import type { Benchmark } from './benchmark.ts'

const JOBS = 1_000_000
/** An index reads the first page of any number. */
const BASELINE_JOBS = 1_000
const PAGE = 20
/** Enough for the compiler to be done before the first round. */
const FIRST_PAGES = 2_000
const CALLERS = 10
const LIST = '/api/v1/videos/'

/** Benchmarks the list of an account with a million jobs: its first page, and its last page by cursor and by offset. */
export function listBenchmarks(setup: ApiSetup, say: (text: string) => void): Benchmark[] {
  const lastPage = (JOBS / PAGE).toLocaleString('en')
  let seeded: Promise<void> | undefined
  const benchmark = (name: string, count: number, pathOf: () => Promise<string>): Benchmark => ({
    name: `list, ${name}, ${CALLERS} concurrent`,
    async run() {
      seeded ??= seedJobs(setup, say)
      await seeded
      const path = await pathOf()
      // The baselines list the first page of their own tables. Of other pages, the floor sends ready-made bytes.
      if (path === LIST) return compareReads(setup, { path, callers: CALLERS, count })
      const ready = { textId: name, bytes: await storeResponse(setup, path, name) }
      return compareReads(setup, { path, callers: CALLERS, count, ready })
    },
  })
  return [
    benchmark('page 1', FIRST_PAGES, async () => LIST),
    benchmark(`page ${lastPage} by cursor`, 200, async () => {
      const cursor = await fetchCursor(setup, `${LIST}?offset=${JOBS - 2 * PAGE}`)
      return `${LIST}?cursor=${encodeURIComponent(cursor)}`
    }),
    benchmark(`page ${lastPage} by offset`, 10, async () => `${LIST}?offset=${JOBS - PAGE}`),
  ]
}

async function seedJobs({ testBed, users }: ApiSetup, say: (text: string) => void): Promise<void> {
  const user = at(users, 0)
  say(`creating ${JOBS.toLocaleString('en')} jobs`)
  // Accepting jobs has filled both tables. With the jobs of other accounts, which have few, PostgreSQL expects few of this account
  // as well, and sorts all of them for the floor.
  await testBed.baseline.query('DELETE FROM jobs')
  await testBed.db.query(SEED, [user.userId, JOBS])
  await testBed.baseline.query(SEED, [user.userId, BASELINE_JOBS])
  await testBed.db.query("DELETE FROM jobs WHERE user_id = $1 AND id::text NOT LIKE '0190%'", [user.userId])
  await testBed.db.query('UPDATE users SET jobs_accepted = $2, jobs_failed = 0 WHERE id = $1', [user.userId, JOBS])
  // With old statistics, it does so, too.
  await testBed.db.query('VACUUM ANALYZE jobs')
  await testBed.baseline.query('VACUUM ANALYZE jobs')
}

// Ids increase with time, like those of the service.
const SEED = `
INSERT INTO jobs (id, user_id, status, lane, priority, video_id, options, progress, step, wake_at, created_at, updated_at,
  started_at, completed_at)
SELECT ('0190' || lpad(to_hex(n), 8, '0') || '-7000-8000-000000000000')::uuid, $1, 'completed',
  'normal', 'normal', 'dQw4w9WgXcQ', '{}', 100, 'completed', now(), now(), now(), now(), now()
FROM generate_series(1, $2::int) AS n`

async function fetchCursor({ ours, users }: ApiSetup, path: string): Promise<string> {
  const user = at(users, 0)
  const response = await fetch(`${ours.origin}${path}`, { headers: { authorization: `Bearer ${user.key}` } })
  const { data } = (await response.json()) as { data: { pagination: { next_cursor: string } } }
  return data.pagination.next_cursor
}
