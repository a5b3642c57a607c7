import { at } from '@subtext/runtime'
import { type Account, createAccounts } from './accounts.ts'
import type { Child } from './child-process.ts'
import { type Comparison, compare, type Side, type Sides } from './compare.ts'
import type { FollowOptions, FollowReport, LoadOptions, LoadReport } from './load.ts'
import { BASELINE_PREFIX, type TestBed } from './test-bed.ts'

/**
 * Number of pro users, with 30 videos per day each: enough that none reaches the quota within a round. Between rounds their
 * counters are reset, so that every measured job is reserved, counted and entered in the ledger like any other.
 */
const USERS = 500
const ROUNDS = 15

interface Api {
  process: { readonly pid: number }
  origin: string
}

export interface BaselineSettings {
  databaseUrl: string
  redisUrl: string
  prefix: string
}

/** Our API, the two that it is compared with, and the users of all three. */
export interface ApiSetup {
  testBed: TestBed
  ours: Api
  same: Api
  floor: Api
  users: Account[]
  admin: Account
  load(options: LoadOptions): Promise<LoadReport>
  follow(options: FollowOptions): Promise<void>
  reportFollowed(): Promise<FollowReport>
  unfollow(): Promise<void>
}

export async function openApiSetup(testBed: TestBed): Promise<ApiSetup> {
  const databases = [testBed.db, testBed.baseline]
  const users = await createAccounts(databases, USERS, ['read', 'write'])
  const admin = at(await createAccounts(databases, 1, ['admin']), 0)
  const loader = testBed.start(new URL('./load-process.ts', import.meta.url))
  const settings = { databaseUrl: testBed.baselineUrl, redisUrl: testBed.servers.redisUrl, prefix: BASELINE_PREFIX }
  const startBaseline = async (process: Child): Promise<Api> => ({
    process,
    origin: await process.call<string>('listen', settings satisfies BaselineSettings),
  })
  const [ours, same, floor] = await Promise.all([
    testBed.startApi(),
    startBaseline(testBed.start(new URL('./same-api-process.ts', import.meta.url))),
    startBaseline(testBed.start(new URL('./floor-api-process.ts', import.meta.url))),
  ])
  return {
    testBed,
    ours,
    same,
    floor,
    users,
    admin,
    load: (options) => loader.call('load', options),
    follow: (options) => loader.call('follow', options),
    reportFollowed: () => loader.call('reportFollowed'),
    unfollow: () => loader.call('unfollow'),
  }
}

/** Stores a response of ours in one row, so that the floor sends exactly the same bytes. Returns their number. */
export async function storeResponse({ testBed, ours, users }: ApiSetup, path: string, id: string): Promise<number> {
  const user = at(users, 0)
  const response = await fetch(`${ours.origin}${path}`, { headers: { authorization: `Bearer ${user.key}` } })
  if (!response.ok) throw new Error(`${path} responded with ${response.status}.`)
  const body = await response.text()
  await testBed.baseline.query('INSERT INTO texts (id, body) VALUES ($1, $2)', [id, body])
  return Buffer.byteLength(body)
}

export interface Reads {
  /** Several are used in turn. */
  path: string | readonly string[]
  callers: number
  /** Requests in a round. */
  count: number
  /** Omitted: the floor answers the same path from its own tables, and so does `same`. */
  ready?: { textId: string; bytes: number }
}

/** Request IDs and times are of the same length in every response; estimates of the time left are not. */
const SIZE_TOLERANCE = 0.02

export function compareReads(setup: ApiSetup, { path, callers, count, ready }: Reads): Promise<Comparison> {
  const user = at(setup.users, 0)
  const headers = [{ authorization: `Bearer ${user.key}` }]
  const options = { method: 'GET', status: 200, callers, count, headers } satisfies Partial<LoadOptions>
  const side = ({ process, origin }: Api, sidePath: Reads['path']): Side => ({
    process,
    async run() {
      const report = await setup.load({ ...options, origin, path: sidePath })
      const bytes = report.bytes / report.count
      if (ready && Math.abs(bytes / ready.bytes - 1) > SIZE_TOLERANCE)
        throw new Error(`${sidePath} responded with ${bytes} bytes instead of ${ready.bytes}.`)
      return report
    },
  })
  const sides: Sides = ready
    ? { ours: side(setup.ours, path), floor: side(setup.floor, `/texts/${encodeURIComponent(ready.textId)}`) }
    : { ours: side(setup.ours, path), same: side(setup.same, path), floor: side(setup.floor, path) }
  return compare(setup.testBed.servers, sides, ROUNDS)
}
