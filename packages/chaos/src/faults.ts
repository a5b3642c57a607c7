import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TcpLink } from '@subtext/embedded/testing'
import type { AppName } from '@subtext/server'
import type { Arena } from './arena.ts'
import { type Fleet, LEASE_SECONDS, type Slot } from './fleet.ts'
import { hasSuccessor, isAtWork } from './lease-log.ts'
import type { Random } from './random.ts'

export interface FaultScene {
  arena: Arena
  fleet: Fleet
  random: Random
  /** Requests that this API has not answered yet. */
  openRequests(slot: Slot): number
  /** Told of every process that was killed. */
  onKill(app: AppName, processName: string, openRequests: number): void
}

export interface FaultKind {
  name: string
  /** Two faults of one round never have the same target. */
  target: 'api' | 'worker' | 'webhooks' | 'redis' | 'postgres'
  /** Cards of this kind in the deck. */
  cards: number
  /** Work that it hits may have to be done again. */
  disturbsWork: boolean
  /** Returns when it is over and healed. */
  run(scene: FaultScene): Promise<void>
}

const AIM_PATIENCE_MS = 20_000
const AIM_EVERY_MS = 10

/** Waits for a moment that is worth hitting, for a while. */
async function aim(isWorthIt: () => Promise<boolean>, patienceMs = AIM_PATIENCE_MS): Promise<void> {
  const deadline = performance.now() + patienceMs
  const look = () => isWorthIt().catch(() => false) // database away
  while (performance.now() < deadline && !(await look())) await sleep(AIM_EVERY_MS)
}

/** Until the process has something in hand. */
const untilBusy = ({ arena, openRequests }: FaultScene, slot: Slot): Promise<void> =>
  aim(async () => (slot.app === 'api' ? openRequests(slot) > 0 : isAtWork(arena.db, slot.processName())))

async function killAndRestart(scene: FaultScene, slots: Slot[]): Promise<void> {
  await Promise.all(
    slots.map(async (slot) => {
      await untilBusy(scene, slot)
      const open = slot.app === 'api' ? scene.openRequests(slot) : 0
      scene.onKill(slot.app, await slot.kill(), open)
      await sleep(scene.random.between(100, 2_500))
      slot.start()
    }),
  )
}

const kill = (app: AppName, cards: number): FaultKind => ({
  name: `${app} killed`,
  target: app,
  cards,
  disturbsWork: app === 'worker',
  run: (scene) => killAndRestart(scene, [scene.random.pick(scene.fleet.of(app))]),
})

/** Longer than its leases, and until another one has taken a job over: what it does next, it does as a ghost. */
async function freezeAndThaw(scene: FaultScene, slot: Slot): Promise<void> {
  await untilBusy(scene, slot)
  slot.freeze()
  await sleep(LEASE_SECONDS * 1_000)
  await aim(() => hasSuccessor(scene.arena.db, slot.processName()), LEASE_SECONDS * 1_000)
  slot.thaw()
}

const APPENDED = 'appendonlydir'

/** Redis comes back with what it knew some time ago, as after a restored copy or a lost disk. */
async function setBackRedis({ arena, random }: FaultScene): Promise<void> {
  const kept = join(arena.redis.dataDir, APPENDED)
  const copy = join(arena.redis.dataDir, 'older')
  await cp(kept, copy, { recursive: true })
  await sleep(random.between(800, 3_000))
  await arena.redis.crash()
  await rm(kept, { recursive: true })
  await cp(copy, kept, { recursive: true })
  await rm(copy, { recursive: true })
  await arena.redis.start()
}

const WIRE_FAULTS: Record<string, (link: TcpLink, random: Random) => void> = {
  slow: (link, random) => link.delay(random.between(20, 250)),
  cut: (link) => link.cut(),
  silent: (link) => link.silence(),
  forgotten: (link) => link.forget(),
  lost: (link) => link.lose(),
}

/** Of one process, or of all. */
const wireFaults = (server: 'redis' | 'postgres'): FaultKind[] =>
  Object.entries(WIRE_FAULTS).map(([name, begin]) => ({
    name: `${server} wire ${name}`,
    target: server,
    cards: 1,
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
    ...{ name: 'all workers killed', target: 'worker', cards: 1, disturbsWork: true },
    run: (scene) => killAndRestart(scene, scene.fleet.of('worker')),
  },
  {
    ...{ name: 'worker frozen', target: 'worker', cards: 2, disturbsWork: true },
    run: (scene) => freezeAndThaw(scene, scene.random.pick(scene.fleet.of('worker'))),
  },
  {
    ...{ name: 'redis killed', target: 'redis', cards: 1, disturbsWork: false },
    async run({ arena, random }) {
      await arena.redis.crash()
      await sleep(random.between(0, 5_000))
      await arena.redis.start()
    },
  },
  {
    ...{ name: 'redis emptied', target: 'redis', cards: 1, disturbsWork: false },
    run: ({ arena }) => arena.emptyRedis(),
  },
  { ...{ name: 'redis set back', target: 'redis', cards: 1, disturbsWork: false }, run: setBackRedis },
  {
    ...{ name: 'redis frozen', target: 'redis', cards: 1, disturbsWork: false },
    async run({ arena, random }) {
      arena.redis.freeze()
      await sleep(random.between(500, 5_000))
      arena.redis.thaw()
    },
  },
  ...(['SIGKILL', 'SIGQUIT'] as const).map(
    (signal): FaultKind => ({
      ...{ name: `postgres ${signal === 'SIGKILL' ? 'killed' : 'stopped at once'}`, target: 'postgres', cards: 1 },
      disturbsWork: true,
      async run({ arena, random }) {
        await arena.postgres.crash(signal)
        await sleep(random.between(0, 3_000))
        await arena.postgres.start()
      },
    }),
  ),
  ...wireFaults('redis'),
  ...wireFaults('postgres'),
]

/** Kinds in an order of chance in which each one comes as often as it has cards before the first comes again. */
export function createDeck(random: Random): { draw(fits: (kind: FaultKind) => boolean): FaultKind } {
  const whole = FAULT_KINDS.flatMap((kind) => Array<FaultKind>(kind.cards).fill(kind))
  const left: FaultKind[] = []
  return {
    draw(fits) {
      if (!left.some(fits)) left.push(...random.shuffle(whole))
      const [drawn] = left.splice(left.findIndex(fits), 1)
      return drawn as FaultKind
    },
  }
}
