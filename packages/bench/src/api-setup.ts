import { at } from '@subtext/runtime'
import { type Account, createAccounts } from './accounts.ts'
import { type Comparison, compare } from './compare.ts'
import type { LoadOptions, LoadReport } from './load.ts'
import { BASELINE_PREFIX, type TestBed } from './test-bed.ts'

/**
 * Number of pro users, with 30 videos per day each: enough that none reaches the quota within a round. Between rounds their
 * counters are reset, so that every measured job is reserved, counted and entered in the ledger like any other.
 */
const USERS = 500
const READ_ROUNDS = 3
const READ_SECONDS = 0.6

interface Api {
  process: { readonly pid: number }
  origin: string
}

/** The two APIs and their users. */
export interface ApiSetup {
  testBed: TestBed
  ours: Api
  baseline: Api
  users: Account[]
  admin: Account
  load(options: LoadOptions): Promise<LoadReport>
}

export async function openApiSetup(testBed: TestBed): Promise<ApiSetup> {
  const [users, [admin]] = await Promise.all([
    createAccounts(testBed.db, USERS, ['read', 'write']),
    createAccounts(testBed.db, 1, ['admin']),
  ])
  if (!admin) throw new Error('No admin was created.')
  const child = testBed.start(new URL('./baseline-api-process.ts', import.meta.url))
  const loader = testBed.start(new URL('./load-process.ts', import.meta.url))
  const settings = { databaseUrl: testBed.baselineUrl, redisUrl: testBed.servers.redisUrl, prefix: BASELINE_PREFIX }
  const [ours, origin] = await Promise.all([testBed.startApi(), child.call<string>('listen', settings)])
  return {
    testBed,
    ours,
    baseline: { process: child, origin },
    users,
    admin,
    load: (options) => loader.call<LoadReport>('load', options),
  }
}

/** Stores a response of ours in one row, so that the baseline handler sends exactly the same bytes. */
export async function storeResponse({ testBed, ours, users }: ApiSetup, path: string, id: string): Promise<void> {
  const user = at(users, 0)
  const response = await fetch(`${ours.origin}${path}`, { headers: { authorization: `Bearer ${user.key}` } })
  if (!response.ok) throw new Error(`${path} responded with ${response.status}.`)
  await testBed.baseline.query('INSERT INTO texts (id, body) VALUES ($1, $2)', [id, await response.text()])
}

export interface Reads {
  path: string
  baselinePath: string
  callers: number
}

export function compareReads(
  { testBed, ours, baseline, users, load }: ApiSetup,
  { path, baselinePath, callers }: Reads,
): Promise<Comparison> {
  const user = at(users, 0)
  const options = { method: 'GET', status: 200, callers, seconds: READ_SECONDS } as const
  const headers = [{ authorization: `Bearer ${user.key}` }]
  return compare(
    testBed,
    { process: ours.process, run: () => load({ ...options, origin: ours.origin, path, headers }) },
    {
      process: baseline.process,
      run: () => load({ ...options, origin: baseline.origin, path: baselinePath, headers }),
    },
    READ_ROUNDS,
  )
}
