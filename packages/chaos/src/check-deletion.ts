import { setTimeout as sleep } from 'node:timers/promises'
import { API_PREFIX } from '@subtext/contracts'
import type { ChaosAccount } from './accounts.ts'
import type { Fleet } from './fleet.ts'
import type { Load } from './load.ts'
import type { Random } from './random.ts'
import type { ChaosTestBed } from './test-bed.ts'

interface Deletion {
  account: ChaosAccount
  jobId: string
}

/** All jobs of a batch are deleted, as somebody does who wants to be rid of it. */
const MAX_SINGLE = 12
const MAX_BATCHES = 3
const KILLS = 3
const TIMEOUT_MS = 60_000
const RETRY_MS = 150
/** Every video of the load says it. */
const WORD = 'the'

/** Where rows of a deleted job would be left, and the column that names it. */
const TABLES = Object.entries({
  jobs: 'id',
  results: 'job_id',
  job_summaries: 'job_id',
  library_entries: 'job_id',
  webhook_events: 'subject_id',
})
const FIND_ROWS = TABLES.map(
  ([table, column]) => `SELECT '${table}' AS "table", ${column} AS id FROM ${table} WHERE ${column} = ANY ($1::uuid[])`,
).join(' UNION ALL ')

/**
 * Deletes jobs and whole batches while an API is killed again and again, and checks that no word of them is found afterwards. Runs
 * after the checks that compare the jobs with the responses that clients got.
 */
export async function checkDeletion(
  { db }: Pick<ChaosTestBed, 'db'>,
  fleet: Fleet,
  load: Load,
  random: Random,
): Promise<Record<string, unknown[]>> {
  const chosen = await choose(db, load)
  const before = await findByWord(fleet, chosen)
  const victim = fleet.nth('api', 1)
  const undeleted: Deletion[] = []
  const deleteAll = Promise.all(
    chosen.map(async (each) => {
      if (!(await deleteUntilGone(() => random.pick(fleet.of('api')).baseUrl, each))) undeleted.push(each)
    }),
  )
  for (let nth = 0; nth < KILLS; nth++) {
    await sleep(random.between(20, 250))
    await victim.kill()
    await sleep(random.between(50, 300))
    victim.start()
    await fleet.untilReady()
  }
  await deleteAll
  const ids = chosen.map(({ jobId }) => jobId)
  const found = await findByWord(fleet, chosen)
  return {
    'a job could not be deleted': undeleted.map(({ jobId }) => jobId),
    'a word of a deleted job was found': ids.filter((id) => found.has(id)),
    'something of a deleted job is left': (await db.query<{ table: string; id: string }>(FIND_ROWS, [ids])).rows,
    // Otherwise, the search says nothing about the deletion.
    'no job was found before it was deleted': ids.some((id) => before.has(id)) ? [] : [{ chosen: ids.length }],
  }
}

/** Returns jobs that have ended, alone and of whole batches. */
async function choose(db: ChaosTestBed['db'], { submissions }: Load): Promise<Deletion[]> {
  const accepted = submissions.filter(({ state }) => state === 'accepted').reverse()
  const batches = accepted.filter(({ path }) => path === '/batch/process').slice(0, MAX_BATCHES)
  const single = accepted.filter(({ path }) => path === '/videos/process').slice(0, MAX_SINGLE)
  const all = [...batches, ...single].flatMap(({ account, jobIds }) => jobIds.map((jobId) => ({ account, jobId })))
  const { rows } = await db.query<{ id: string }>(
    "SELECT id FROM jobs WHERE id = ANY ($1::uuid[]) AND status IN ('completed', 'failed')",
    [all.map(({ jobId }) => jobId)],
  )
  const ended = new Set(rows.map(({ id }) => id))
  return all.filter(({ jobId }) => ended.has(jobId))
}

const headersOf = ({ key }: ChaosAccount) => ({ Authorization: `Bearer ${key}` })

/** Deletes a job, however often it takes. Returns false if it takes too long. */
async function deleteUntilGone(pickUrl: () => string, { account, jobId }: Deletion): Promise<boolean> {
  const deadline = performance.now() + TIMEOUT_MS
  while (performance.now() < deadline) {
    const url = `${pickUrl()}${API_PREFIX}/videos/${jobId}`
    const status = await fetch(url, { method: 'DELETE', headers: headersOf(account) }).then(
      (response) => response.status,
      () => 0,
    )
    // A request that was answered by nobody may have been done.
    if (status === 204 || status === 404) return true
    await sleep(RETRY_MS)
  }
  return false
}

interface SearchPage {
  data: { hits: { job_id: string }[]; pagination: { next_cursor: string | null } }
}

/** Returns the jobs that a search in the libraries of these accounts finds. */
async function findByWord(fleet: Fleet, deletions: readonly Deletion[]): Promise<Set<string>> {
  const found = new Set<string>()
  const [api] = fleet.of('api')
  for (const account of new Set(deletions.map((each) => each.account))) {
    let cursor: string | null = ''
    while (cursor !== null) {
      const query = new URLSearchParams({ q: WORD, limit: '50', ...(cursor && { cursor }) })
      const url = `${api?.baseUrl}${API_PREFIX}/library/search?${query}`
      const response = await fetch(url, { headers: headersOf(account) })
      if (!response.ok) throw new Error(`A search was answered with ${response.status}.`)
      const { data } = (await response.json()) as SearchPage
      for (const { job_id } of data.hits) found.add(job_id)
      cursor = data.pagination.next_cursor
    }
  }
  return found
}
