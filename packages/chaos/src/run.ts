import { setTimeout as sleep } from 'node:timers/promises'
import type { AppName } from '@subtext/server'
import { findViolations } from '@subtext/server/testing'
import { type Arena, openArena } from './arena.ts'
import { tryCap } from './cap-trial.ts'
import { AFTERMATH_MS, checkSpending, type Span, type Spending } from './check-spending.ts'
import { checkSubmissions } from './check-submissions.ts'
import { type Control, HAZARD, takeAway } from './controls.ts'
import { createDeck, FAULT_KINDS, type FaultKind, type FaultScene } from './faults.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { tryGuard } from './guard-trial.ts'
import { checkHeard, type HeardEvents, type Hearing, listen } from './hearing.ts'
import { listFenceBreaches, listInterrupted, measurePeakOfAccount } from './lease-log.ts'
import { type Load, startLoad } from './load.ts'
import { createRandom } from './random.ts'
import { type SecondWriter, startSecondWriter } from './second-writer.ts'
import { listIdle, type Settled, settle } from './settle.ts'
import { createCourier } from './submission.ts'

export interface ChaosOptions {
  rounds: number
  seed: number
  /** More faults at once, and the leases of the dead run out before their time. */
  hurry: boolean
  /** A safeguard to go without. */
  control?: Control
  say: (text: string) => void
}

export interface Applied extends Span {
  kind: FaultKind
}

export interface Kill {
  app: AppName
  processName: string
  openRequests: number
}

export interface ChaosReport {
  options: ChaosOptions
  applied: Applied[]
  kills: Kill[]
  /** Of the killed workers and webhook apps, those that had something in hand. */
  interrupted: Set<string>
  load: Load
  second: SecondWriter
  settled: Settled
  heard: HeardEvents
  spending: Spending
  peaks: { account: number; receiver: number }
  violations: Record<string, unknown[]>
  logPath: string
  seconds: number
}

const PATIENCE_SECONDS = 120
/** A control that has not turned red by then will not. */
const CONTROL_PATIENCE_SECONDS = 45
const SECOND_CARD = { hurried: 1, else: 0.35 }

/** One whole run. The report tells what was done and what was found; `violations` is empty when all is well. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const began = performance.now()
  options.say('starting Postgres, Redis and everything around the service')
  const arena = await openArena()
  let keepLog = true
  try {
    const settings = await takeAway(arena.db, options.control)
    options.say('starting two APIs, two workers, two webhook apps')
    const fleet = await startFleet(arena, settings)
    await fleet.untilReady()
    const hearing = listen(arena.receiver, createRandom(options.seed + 1))
    const load = await startLoad({ arena, fleet, random: createRandom(options.seed + 2) })
    const report = await runWith(arena, fleet, hearing, load, options)
    // Without a safeguard everybody knows why.
    keepLog = Object.keys(report.violations).length > 0 && options.control === undefined
    return { ...report, seconds: (performance.now() - began) / 1_000 }
  } finally {
    options.say('stopping everything')
    await arena.close({ keepLog })
  }
}

async function runWith(arena: Arena, fleet: Fleet, hearing: Hearing, load: Load, options: ChaosOptions) {
  const second = startSecondWriter(arena.db)
  const { applied, kills } = await playRounds(arena, fleet, load, options)
  options.say('all faults are healed')
  const killed = kills.map(({ processName }) => processName)
  await load.stop()
  const settled = await settle(arena, {
    ...{ submissions: load.submissions, courier: load.courier },
    patienceSeconds: options.control ? CONTROL_PATIENCE_SECONDS : PATIENCE_SECONDS,
    hurried: options.hurry ? killed : [],
  })
  options.say(`settled after ${settled.seconds.toFixed(1)} s`)
  await second.stop()

  const interrupted = await listInterrupted(arena.db, killed)
  const heard = await checkHeard(arena.db, arena.receiver, load.accounts)
  const disturbances = applied.filter(({ kind }) => kind.disturbsWork)
  const spending = await checkSpending(arena, { disturbances, cancellations: load.cancellations })
  const peaks = { account: await measurePeakOfAccount(arena.db), receiver: hearing.peakOfAccount() }
  const violations = {
    ...(await findViolations({ rows: async (text) => (await arena.db.query<never>(text)).rows })),
    ...(await checkSubmissions(arena.db, load.submissions)),
    ...heard.violations,
    ...spending.violations,
    'a job was ended by a worker that had lost it': await listFenceBreaches(arena.db),
    'a second writer got something in': second.written() > 0 ? [{ rows: second.written() }] : [],
    'it was not over in time': settled.jobs + settled.batches + settled.deliveries > 0 ? [settled] : [],
    'an answer that must not be': load.courier.faults,
    'a process ended by itself': fleet.crashes,
    'too few kills of workers met a job under way': missedKills(kills, interrupted),
    ...(await tryAfterwards(arena, fleet, hearing, load, options)),
  }
  const found = Object.fromEntries(Object.entries(violations).filter(([, rows]) => rows.length > 0))
  return {
    ...{ options, applied, kills, interrupted, load, second, settled, heard, spending, peaks },
    ...{ violations: found, logPath: arena.log.path },
  }
}

async function playRounds(arena: Arena, fleet: Fleet, load: Load, options: ChaosOptions) {
  const random = createRandom(options.seed)
  const deck = createDeck(random)
  const applied: Applied[] = []
  const kills: Kill[] = []
  const scene: Omit<FaultScene, 'random'> = {
    ...{ arena, fleet, openRequests: load.courier.openRequests },
    onKill: (app, processName, openRequests) => void kills.push({ app, processName, openRequests }),
  }
  const probability = options.hurry ? SECOND_CARD.hurried : SECOND_CARD.else
  await sleep(1_000)
  for (let round = 1; round <= options.rounds; round++) {
    const hazard = FAULT_KINDS.find(({ name }) => options.control && name === HAZARD[options.control])
    const first = hazard ?? deck.draw(() => true)
    const kinds = random.chance(probability) ? [first, deck.draw(({ target }) => target !== first.target)] : [first]
    options.say(`round ${round} of ${options.rounds}: ${kinds.map(({ name }) => name).join(', ')}`)
    await Promise.all(
      kinds.map(async (kind, nth) => {
        const from = Date.now()
        // Numbers of its own: which of two faults asks first is not a matter of the seed.
        await kind.run({ ...scene, random: createRandom(options.seed + round * 1_000 + nth) })
        applied.push({ kind, from, to: Date.now() + AFTERMATH_MS })
      }),
    )
    await sleep(random.between(200, 1_500))
  }
  return { applied, kills }
}

/**
 * What changes the store or the settings, so that it comes after everything else was looked at. Without a safeguard only
 * what it is missed in.
 */
async function tryAfterwards(
  arena: Arena,
  fleet: Fleet,
  hearing: Hearing,
  load: Load,
  { control }: ChaosOptions,
): Promise<Record<string, unknown[]>> {
  // The last one has something left of its day.
  const account = [...load.accounts.values()].at(-1)
  if (!account) throw new Error('Nobody has submitted anything.')
  // The last fault may have been the end of one.
  await fleet.untilReady()
  const found: Record<string, unknown[]> = {}
  if (!control || control === 'cap') Object.assign(found, await tryCap(arena, hearing))
  if (!control) {
    const idle = await listIdle(arena, fleet, (api) => createCourier(() => api), account)
    found['a process does nothing any more'] = idle
  }
  if (!control || control === 'guard') Object.assign(found, await tryGuard(arena, fleet, account, !control))
  return found
}

const MIN_HIT_SHARE = 0.9

function missedKills(kills: Kill[], interrupted: ReadonlySet<string>): string[] {
  const workers = kills.filter(({ app }) => app === 'worker')
  const missed = workers
    .filter(({ processName }) => !interrupted.has(processName))
    .map(({ processName }) => processName)
  // One among a few is no share.
  const bearable = Math.max(workers.length > 1 ? 1 : 0, (1 - MIN_HIT_SHARE) * workers.length)
  return missed.length > bearable ? missed : []
}
