import { setTimeout as sleep } from 'node:timers/promises'
import type { CoreApp } from '@subtext/standalone'
import { findViolations } from '@subtext/testbed'
import { checkAddressGuard } from './check-address-guard.ts'
import { checkDeletion } from './check-deletion.ts'
import { checkFollowing } from './check-following.ts'
import { checkReceipts } from './check-receipts.ts'
import { checkReceiverLimit } from './check-receiver-limit.ts'
import { AFTERMATH_MS, checkSpending, type FaultPeriod, type SpendingReport } from './check-spending.ts'
import { checkSubmissions } from './check-submissions.ts'
import { checkWebhooks, type ReceiverStats, scriptReceiver, type WebhookReport } from './check-webhooks.ts'
import { type Control, FENCE_VIOLATION, REQUIRED_FAULTS, removeSafeguard, SECOND_WRITER_VIOLATION } from './controls.ts'
import { createShuffleBag, FAULT_KINDS, type FaultContext, type FaultKind } from './faults.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { listFenceBreaches, listInterrupted, measurePeakJobs } from './lease-log.ts'
import { type Load, startLoad } from './load.ts'
import { createRandom } from './random.ts'
import { type SecondWriter, startSecondWriter } from './second-writer.ts'
import { listIdle, type Settled, settle, sumUnfinished } from './settle.ts'
import { createApiClient } from './submission.ts'
import { type ChaosTestBed, openTestBed } from './test-bed.ts'
import { watchMachine } from './watch-machine.ts'

export interface ChaosOptions {
  rounds: number
  seed: number
  /** Two faults per round; leases of killed processes expire early. */
  hurry: boolean
  /** The safeguard to remove. */
  control?: Control
  /** Reports progress. */
  say: (text: string) => void
}

export interface Applied extends FaultPeriod {
  kind: FaultKind
}

export interface Kill {
  app: CoreApp
  processName: string
  openRequests: number
}

export interface ChaosReport {
  options: ChaosOptions
  applied: Applied[]
  kills: Kill[]
  /** Killed workers and webhook senders that were interrupted at work. */
  interrupted: Set<string>
  load: Load
  secondWriter: SecondWriter
  /** How long the machine was too busy. */
  starvedSeconds: number
  settled: Settled
  webhooks: WebhookReport
  spending: SpendingReport
  peaks: { account: number; receiver: number }
  violations: Record<string, unknown[]>
  logPath: string
  seconds: number
}

/** Generous, because all work may take long on a busy machine; work that is lost would never end. */
const SETTLE_TIMEOUT_SECONDS = 400
/** A missing safeguard that is not noticed within this time will not be noticed later. */
const CONTROL_SETTLE_TIMEOUT_SECONDS = 45
const SECOND_FAULT_PROBABILITY = { hurry: 1, default: 0.35 }

/** Does one whole run, and reports what was done and found. `violations` is empty when every promise was kept. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const startedAt = performance.now()
  options.say('starting Postgres, Redis and the fakes')
  const testBed = await openTestBed()
  let keepLog = true
  try {
    const settings = await removeSafeguard(testBed.db, options.control)
    options.say('starting two APIs, two workers and two webhook senders')
    const fleet = await startFleet(testBed, settings)
    await fleet.untilReady()
    const receiver = scriptReceiver(testBed.receiver, createRandom(options.seed + 1))
    const load = await startLoad({ testBed, fleet, random: createRandom(options.seed + 2) })
    const report = await runWith(testBed, fleet, receiver, load, options)
    // The cause of violations is known when a safeguard was removed.
    keepLog = Object.keys(report.violations).length > 0 && options.control === undefined
    return { ...report, seconds: (performance.now() - startedAt) / 1_000 }
  } finally {
    options.say('stopping everything')
    await testBed.close({ keepLog })
  }
}

async function runWith(
  testBed: ChaosTestBed,
  fleet: Fleet,
  receiver: ReceiverStats,
  load: Load,
  options: ChaosOptions,
) {
  const secondWriter = startSecondWriter(testBed.db)
  const machine = watchMachine(testBed.db)
  const { applied, kills } = await runRounds(testBed, fleet, load, options)
  options.say('all faults are repaired')
  const killed = kills.map(({ processName }) => processName)
  await load.stop()
  const settled = await settle(testBed, {
    submissions: load.submissions,
    published: load.published,
    apiClient: load.apiClient,
    timeoutSeconds: options.control ? CONTROL_SETTLE_TIMEOUT_SECONDS : SETTLE_TIMEOUT_SECONDS,
    expireLeasesOf: options.hurry ? killed : [],
  })
  options.say(`settled after ${settled.seconds.toFixed(1)} s`)
  await Promise.all([secondWriter.stop(), machine.stop()])

  const interrupted = await listInterrupted(testBed.db, killed)
  const webhooks = await checkWebhooks(testBed.db, testBed.receiver, load.accounts)
  const disturbances = applied.filter(({ kind }) => kind.disturbsWork)
  const { starved } = machine
  const spending = await checkSpending(testBed, { disturbances, cancellations: load.cancellations, starved })
  const peaks = { account: await measurePeakJobs(testBed.db), receiver: receiver.peakConcurrency() }
  const violations = {
    ...(await findViolations({ rows: async (text) => (await testBed.db.query<never>(text)).rows })),
    ...(await checkSubmissions(testBed.db, load.submissions)),
    ...(await checkFollowing(testBed.db, load.published)),
    ...webhooks.violations,
    ...spending.violations,
    [FENCE_VIOLATION]: await listFenceBreaches(testBed.db),
    [SECOND_WRITER_VIOLATION]: secondWriter.accepted() > 0 ? [{ rows: secondWriter.accepted() }] : [],
    'work was unfinished at the deadline': sumUnfinished(settled) > 0 ? [settled] : [],
    'the API sent an unexpected response': load.apiClient.violations,
    'a process exited unexpectedly': fleet.crashes,
    'too few worker kills interrupted a job': listMissedKills(kills, interrupted),
    ...(await checkAfterwards(testBed, fleet, receiver, load, options)),
  }
  const found = Object.fromEntries(Object.entries(violations).filter(([, rows]) => rows.length > 0))
  return {
    options,
    applied,
    kills,
    interrupted,
    load,
    secondWriter,
    starvedSeconds: sumSeconds(starved),
    settled,
    webhooks,
    spending,
    peaks,
    violations: found,
    logPath: testBed.log.path,
  }
}

const sumSeconds = (periods: FaultPeriod[]): number =>
  periods.reduce((sum, { from, to }) => sum + (to - AFTERMATH_MS - from) / 1_000, 0)

async function runRounds(testBed: ChaosTestBed, fleet: Fleet, load: Load, options: ChaosOptions) {
  const random = createRandom(options.seed)
  const bag = createShuffleBag(random)
  const applied: Applied[] = []
  const kills: Kill[] = []
  const context: Omit<FaultContext, 'random'> = {
    testBed,
    fleet,
    openRequests: load.apiClient.openRequests,
    onKill: (app, processName, openRequests) => void kills.push({ app, processName, openRequests }),
  }
  const probability = options.hurry ? SECOND_FAULT_PROBABILITY.hurry : SECOND_FAULT_PROBABILITY.default
  await sleep(1_000)
  for (let round = 1; round <= options.rounds; round++) {
    const required = FAULT_KINDS.find(({ name }) => options.control && name === REQUIRED_FAULTS[options.control])
    const first = required ?? bag.draw(() => true)
    const kinds = random.chance(probability) ? [first, bag.draw(({ target }) => target !== first.target)] : [first]
    options.say(`round ${round} of ${options.rounds}: ${kinds.map(({ name }) => name).join(', ')}`)
    await Promise.all(
      kinds.map(async (kind, nth) => {
        const from = Date.now()
        // Each fault has its own random numbers, because the order in which two faults draw them is not deterministic.
        await kind.run({ ...context, random: createRandom(options.seed + round * 1_000 + nth) })
        applied.push({ kind, from, to: Date.now() + AFTERMATH_MS })
      }),
    )
    await sleep(random.between(200, 1_500))
  }
  return { applied, kills }
}

/**
 * Runs the checks that change data or settings, and therefore come after all others. With a control, runs only the one
 * that notices its absence.
 */
async function checkAfterwards(
  testBed: ChaosTestBed,
  fleet: Fleet,
  receiver: ReceiverStats,
  load: Load,
  { control, seed }: ChaosOptions,
): Promise<Record<string, unknown[]>> {
  // The newest account has quota left.
  const account = [...load.accounts.values()].at(-1)
  if (!account) throw new Error('No account has submitted anything.')
  // An API may still be starting after the last fault.
  await fleet.untilReady()
  const found: Record<string, unknown[]> = {}
  if (!control) {
    const { different, compared } = await checkReceipts(fleet.of('api')[0]?.baseUrl ?? '', load.accounts.values())
    found['receipts differ from the usage history'] = compared > 0 ? different : ['no hour had costs']
  }
  if (!control || control === 'cap') Object.assign(found, await checkReceiverLimit(testBed, receiver))
  if (!control) {
    const idle = await listIdle(testBed, fleet, (api) => createApiClient(() => api), account)
    found['a process stopped working'] = idle
    Object.assign(found, await checkDeletion(testBed, fleet, load, createRandom(seed + 3)))
  }
  if (!control || control === 'guard') Object.assign(found, await checkAddressGuard(testBed, fleet, account, !control))
  return found
}

const MIN_HIT_SHARE = 0.9

/** Returns the worker kills that interrupted nothing, where they are more than a small share. */
function listMissedKills(kills: Kill[], interrupted: ReadonlySet<string>): string[] {
  const workers = kills.filter(({ app }) => app === 'worker')
  const missed = workers
    .filter(({ processName }) => !interrupted.has(processName))
    .map(({ processName }) => processName)
  // A single miss among a few kills says little.
  const maxMissed = Math.max(workers.length > 1 ? 1 : 0, (1 - MIN_HIT_SHARE) * workers.length)
  return missed.length > maxMissed ? missed : []
}
