import { fileURLToPath } from 'node:url'
import { type Account, createAccounts } from './accounts.ts'
import type { Child } from './child-process.ts'
import { type Comparison, compare } from './compare.ts'
import { BARE_PREFIX, type Laboratory } from './laboratory.ts'
import type { LoadOrder, LoadReport } from './load.ts'

/**
 * A pro user has 30 videos a day. Enough users that none reaches that within a round; between rounds their counters are
 * set back, so that every measured job is reserved, counted and entered in the ledger like any other.
 */
const USERS = 500
const READ_ROUNDS = 3
const READ_SECONDS = 0.6

const processFile = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** Two APIs and who calls them. */
export interface Stage {
  lab: Laboratory
  ours: { child: Child; origin: string }
  bare: { child: Child; origin: string }
  users: Account[]
  admin: Account
  load(order: LoadOrder): Promise<LoadReport>
}

export async function openStage(lab: Laboratory): Promise<Stage> {
  const [users, [admin]] = await Promise.all([
    createAccounts(lab.db, USERS, ['read', 'write']),
    createAccounts(lab.db, 1, ['admin']),
  ])
  if (!admin) throw new Error('No admin was made.')
  const child = lab.start(processFile('./bare-api-process.ts'))
  const loader = lab.start(processFile('./load-process.ts'))
  const settings = { databaseUrl: lab.bareUrl, redisUrl: lab.servers.redisUrl, prefix: BARE_PREFIX }
  const [ours, origin] = await Promise.all([lab.startApi(), child.ask<string>('listen', settings)])
  return {
    lab,
    ours,
    bare: { child, origin },
    users,
    admin,
    load: (order) => loader.ask<LoadReport>('load', order),
  }
}

/** The bare handler sends exactly what ours has sent once, from one ready-made row. */
export async function keepAsText({ lab, ours, users }: Stage, path: string, id: string): Promise<void> {
  const [user] = users as [Account]
  const response = await fetch(`${ours.origin}${path}`, { headers: { authorization: `Bearer ${user.key}` } })
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  await lab.bare.query('INSERT INTO texts (id, body) VALUES ($1, $2)', [id, await response.text()])
}

export interface Reads {
  path: string
  barePath: string
  callers: number
}

export function compareReads(
  { lab, ours, bare, users, load }: Stage,
  { path, barePath, callers }: Reads,
): Promise<Comparison> {
  const [user] = users as [Account]
  const order = { method: 'GET', status: 200, callers, seconds: READ_SECONDS } as const
  const headers = [{ authorization: `Bearer ${user.key}` }]
  return compare(
    lab,
    { child: ours.child, run: () => load({ ...order, origin: ours.origin, path, headers }) },
    { child: bare.child, run: () => load({ ...order, origin: bare.origin, path: barePath, headers }) },
    READ_ROUNDS,
  )
}
