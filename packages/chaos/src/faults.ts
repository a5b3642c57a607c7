import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TcpLink } from '@subtext/embedded/testing'
import type { CoreApp } from '@subtext/standalone'
import { type Fleet, LEASE_SECONDS, type Slot } from './fleet.ts'
import { holdsLease, isBetweenStatements, wasTakenOver } from './lease-log.ts'
import type { Random } from './random.ts'
import type { ChaosTestBed } from './test-bed.ts'

export interface FaultContext {
  testBed: ChaosTestBed
  fleet: Fleet
  random: Random
  /** Returns the number of requests that this API has not answered yet. */
  openRequests(slot: Slot): number
  /** Called for every process that was killed. */
  onKill(app: CoreApp, processName: string, openRequests: number): void
}

export interface FaultKind {
  name: string
  /** Two faults in the same round never have the same target. */
  target: 'api' | 'worker' | 'webhooks' | 'redis' | 'postgres'
  /** How often the fault occurs relative to the others. */
  weight: number
  /** Whether work that it interrupts may have to be repeated. */
  disturbsWork: boolean
  /** Resolves when the fault has been repaired. */
  run(context: FaultContext): Promise<void>
}

/** On a busy machine, it may take long until a process that has just started gets work. */
const MAX_WAIT_MS = 240_000
/** A statement that takes longer may wait for a lock of the same frozen process. */
const MAX_STATEMENT_MS = 2_000
/** Short, because the process must be killed while it works. */
const POLL_INTERVAL_MS = 10

/** Waits until the condition holds, but no longer than `maxWaitMs`. */
async function waitFor(
  condition: () => Promise<boolean>,
  { maxWaitMs = MAX_WAIT_MS, intervalMs = POLL_INTERVAL_MS } = {},
): Promise<void> {
  const deadline = performance.now() + maxWaitMs
  const holds = () => condition().catch(() => false) // The database may be unavailable.
  while (performance.now() < deadline && !(await holds())) await sleep(intervalMs)
}

/** Waits until the process is working on something. */
const untilBusy = ({ testBed, openRequests }: FaultContext, slot: Slot): Promise<void> =>
  waitFor(async () => (slot.app === 'api' ? openRequests(slot) > 0 : holdsLease(testBed.db, slot.processName())))

/**
 * Kills a process (`kill -9`) that holds a lease. It could complete its work between the check and the kill, so it is frozen
 * first, and resumed if it no longer holds a lease.
 */
export async function killAtWork(context: FaultContext, slot: Slot): Promise<void> {
  const { db } = context.testBed
  await waitFor(async () => {
    if (!(await holdsLease(db, slot.processName()))) return false
    slot.freeze()
    try {
      // Postgres completes a statement that it has received, which may release the lease.
      await waitFor(() => isBetweenStatements(db, slot.processName()), { maxWaitMs: MAX_STATEMENT_MS })
      if (await holdsLease(db, slot.processName())) return true
    } catch {
      // The database is unavailable.
    }
    slot.thaw()
    return false
  })
  context.onKill(slot.app, await slot.kill(), 0)
}

async function killApi(context: FaultContext, slot: Slot): Promise<void> {
  await untilBusy(context, slot)
  const open = context.openRequests(slot)
  context.onKill(slot.app, await slot.kill(), open)
}

async function killAndRestart(context: FaultContext, slots: Slot[]): Promise<void> {
  await Promise.all(
    slots.map(async (slot) => {
      await (slot.app === 'api' ? killApi : killAtWork)(context, slot)
      await sleep(context.random.between(100, 2_500))
      slot.start()
    }),
  )
}

const kill = (app: CoreApp, weight: number): FaultKind => ({
  name: `${app} killed`,
  target: app,
  weight,
  disturbsWork: app === 'worker',
  run: (context) => killAndRestart(context, [context.random.pick(context.fleet.of(app))]),
})

/**
 * Freezes a process until its leases have expired and another process has taken over a job. When it resumes, it acts on
 * leases that it no longer holds.
 */
async function freezeAndThaw(context: FaultContext, slot: Slot): Promise<void> {
  await untilBusy(context, slot)
  slot.freeze()
  await sleep(LEASE_SECONDS * 1_000)
  const taken = () => wasTakenOver(context.testBed.db, slot.processName())
  await waitFor(taken, { maxWaitMs: LEASE_SECONDS * 1_000, intervalMs: 100 })
  slot.thaw()
}

const APPEND_ONLY_DIR = 'appendonlydir'

/** Restarts Redis with older data, as after restoring a backup or losing a disk. */
async function rollBackRedis({ testBed, random }: FaultContext): Promise<void> {
  const kept = join(testBed.redis.dataDir, APPEND_ONLY_DIR)
  const copy = join(testBed.redis.dataDir, 'older')
  await cp(kept, copy, { recursive: true })
  await sleep(random.between(800, 3_000))
  await testBed.redis.crash()
  await rm(kept, { recursive: true })
  await cp(copy, kept, { recursive: true })
  await rm(copy, { recursive: true })
  await testBed.redis.start()
}

const LINK_FAULTS: Record<string, (link: TcpLink, random: Random) => void> = {
  slow: (link, random) => link.delay(random.between(20, 250)),
  cut: (link) => link.cut(),
  silent: (link) => link.silence(),
  forgotten: (link) => link.forget(),
  lost: (link) => link.lose(),
}

/** Faults of the links between a server and one process, or all processes. */
const linkFaults = (server: 'redis' | 'postgres'): FaultKind[] =>
  Object.entries(LINK_FAULTS).map(([name, begin]) => ({
    name: `${server} link ${name}`,
    target: server,
    weight: 1,
    disturbsWork: server === 'postgres',
    async run({ fleet, random }) {
      const slots = random.chance(0.5) ? fleet.slots : [random.pick(fleet.slots)]
      for (const { links } of slots) begin(links[server], random)
      await sleep(random.between(300, LEASE_SECONDS * 1_500))
      for (const { links } of slots) links[server].heal()
    },
  }))

export const FAULT_KINDS: FaultKind[] = [
  kill('worker', 4),
  kill('api', 2),
  kill('webhooks', 2),
  {
    name: 'all workers killed',
    target: 'worker',
    weight: 1,
    disturbsWork: true,
    run: (context) => killAndRestart(context, context.fleet.of('worker')),
  },
  {
    name: 'worker frozen',
    target: 'worker',
    weight: 2,
    disturbsWork: true,
    run: (context) => freezeAndThaw(context, context.random.pick(context.fleet.of('worker'))),
  },
  {
    name: 'redis killed',
    target: 'redis',
    weight: 1,
    disturbsWork: false,
    async run({ testBed, random }) {
      await testBed.redis.crash()
      await sleep(random.between(0, 5_000))
      await testBed.redis.start()
    },
  },
  {
    name: 'redis emptied',
    target: 'redis',
    weight: 1,
    disturbsWork: false,
    run: ({ testBed }) => testBed.emptyRedis(),
  },
  {
    name: 'redis rolled back',
    target: 'redis',
    weight: 1,
    disturbsWork: false,
    run: rollBackRedis,
  },
  {
    name: 'redis frozen',
    target: 'redis',
    weight: 1,
    disturbsWork: false,
    async run({ testBed, random }) {
      testBed.redis.freeze()
      await sleep(random.between(500, 5_000))
      testBed.redis.thaw()
    },
  },
  ...(['SIGKILL', 'SIGQUIT'] as const).map(
    (signal): FaultKind => ({
      name: `postgres ${signal === 'SIGKILL' ? 'killed' : 'shut down'}`,
      target: 'postgres',
      weight: 1,
      disturbsWork: true,
      async run({ testBed, random }) {
        await testBed.postgres.crash(signal)
        await sleep(random.between(0, 3_000))
        await testBed.postgres.start()
      },
    }),
  ),
  ...linkFaults('redis'),
  ...linkFaults('postgres'),
]

/** Draws faults in random order: each one as many times as its weight before the bag is refilled. */
export function createShuffleBag(random: Random): { draw(matches: (kind: FaultKind) => boolean): FaultKind } {
  const full = FAULT_KINDS.flatMap((kind) => Array<FaultKind>(kind.weight).fill(kind))
  const left: FaultKind[] = []
  return {
    draw(matches) {
      if (!left.some(matches)) left.push(...random.shuffle(full))
      const [drawn] = left.splice(left.findIndex(matches), 1)
      if (!drawn) throw new Error('There are no faults to draw from.')
      return drawn
    },
  }
}
