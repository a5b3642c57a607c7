import { at } from '@subtext/runtime'
import { type BenchAccount, createAccounts } from '../accounts.ts'
import { compare, type Side } from '../compare.ts'
import type { LoadOptions, LoadReport } from '../load.ts'
import type { Bench } from '../part.ts'
import { formatComparison } from '../table.ts'
import { BASELINE_PREFIX, type MeasuredService, openTestBed, type TestBed } from '../test-bed.ts'

export interface BaselineSettings {
  databaseUrl: string
  redisUrl: string
  prefix: string
}

/** Our API, the one that it is compared with, and the users of both. */
export interface RequestSetup {
  testBed: TestBed
  ours: MeasuredService
  same: MeasuredService
  users: BenchAccount[]
  load(options: LoadOptions): Promise<LoadReport>
}

/** Pro users, each with a key. With fewer, a request would often find what the one before has just read. */
const USERS = 500
export const CALLERS = 2
const ROUNDS = 7
const SECONDS_PER_ROUND = 3
/** Sent as fast as they are answered. The compilers work on for thousands of requests. */
const WARM_UP_REQUESTS = 4_000

export async function openRequestSetup(bench: Bench): Promise<RequestSetup> {
  const testBed = await openTestBed(bench)
  const users = await createAccounts([testBed.db, testBed.baseline], USERS, ['read', 'write'])
  const loader = testBed.start(new URL('../load-process.ts', import.meta.url))
  const process = testBed.start(new URL('./same-api-process.ts', import.meta.url))
  const { redisUrl } = testBed.servers
  const settings: BaselineSettings = { databaseUrl: testBed.baselineUrl, redisUrl, prefix: BASELINE_PREFIX }
  const [ours, origin] = await Promise.all([testBed.startApps(['api']), process.call<string>('listen', settings)])
  return {
    testBed,
    ours,
    same: { processes: [process], origin },
    users,
    load: (options) => loader.call('load', options),
  }
}

export const headersOf = ({ key }: BenchAccount): Record<string, string> => ({
  'content-type': 'application/json',
  authorization: `Bearer ${key}`,
})

export interface Requests extends Pick<LoadOptions, 'method' | 'status' | 'bodies'> {
  title: string
  /** One for all users, or one for each. */
  paths: string[]
  perSecond: number
  /** The highest ratio that is good enough. */
  goal?: number
  /** What each side does around a round. */
  around?: (side: 'ours' | 'same') => Pick<Side, 'prepare' | 'verify'>
  verifyLoad?: (report: LoadReport) => void
}

/** Compares requests that arrive at a constant rate, each with the next of the keys. */
export async function compareRequests(setup: RequestSetup, requests: Requests): Promise<string> {
  const { title, paths, method, status, bodies, perSecond, goal, around, verifyLoad } = requests
  const side = (name: 'ours' | 'same'): Side => {
    const { processes, origin } = setup[name]
    const headers = setup.users.map(headersOf)
    const send = (count: number, rate?: number): Promise<LoadReport> =>
      setup.load({ origin, method, paths, headers, bodies, status, callers: CALLERS, count, perSecond: rate })
    return {
      processes,
      warmUp: () => send(WARM_UP_REQUESTS),
      async run() {
        const report = await send(SECONDS_PER_ROUND * perSecond, perSecond)
        verifyLoad?.(report)
        return report
      },
      ...around?.(name),
    }
  }
  const comparison = await compare(setup.testBed.servers, side('ours'), side('same'), ROUNDS)
  const arrival = `${perSecond} a second, ${CALLERS} callers, ${setup.users.length} keys`
  return formatComparison(`${title}; ${arrival}`, 'same', comparison, goal)
}

/** Returns the data of our response to the first user. */
export async function fetchData(
  { ours, users }: RequestSetup,
  path: string,
): Promise<{ data: unknown; bytes: number }> {
  const response = await fetch(`${ours.origin}${path}`, { headers: headersOf(at(users, 0)) })
  if (!response.ok) throw new Error(`${path} responded with ${response.status}.`)
  const body = await response.text()
  return { data: (JSON.parse(body) as { data: unknown }).data, bytes: Buffer.byteLength(body) }
}
