import { cpus } from 'node:os'
import { apiBenchmarks } from './api-benchmarks.ts'
import { openApiSetup } from './api-setup.ts'
import { measureCaptions } from './caption-benchmarks.ts'
import { canReadCpuTime } from './cpu-time.ts'
import { listBenchmarks } from './list-benchmarks.ts'
import { measureMixedLoad } from './mixed-load.ts'
import { measureScale } from './scale/scale.ts'
import { streamBenchmarks } from './stream-benchmarks.ts'
import { measureSummaries } from './summary-benchmarks.ts'
import { measureSummaryCosts } from './summary-costs.ts'
import { TABLE_HEAD, tableLines } from './table.ts'
import { openTestBed } from './test-bed.ts'
import { webhookBenchmarks } from './webhook-benchmarks.ts'
import { openWorkerBenchmarks } from './worker-benchmarks.ts'
import { measureWriteCosts } from './write-costs.ts'

const startedAt = performance.now()
const say = (text: string): void =>
  console.error(`[${((performance.now() - startedAt) / 1_000).toFixed(0).padStart(3)} s] ${text}`)

const NOTES = `
The sides run in turns on one machine. CPU is that of the process, Postgres and Redis together, in nanoseconds as counted by
the scheduler: the median over rounds with its quartiles. Ratios are our CPU divided by the other side's, over pairs of
neighboring rounds: below 1 is in our favor. Rates and times mean little on a machine that others use too. Postgres and Redis
are the embedded ones, with fsync as in \`npm start\`. A round that did not do what it says ends the run.

same: the whole job, as written in a day without tuning: Express, zod, helmet, compression, key lookup by hash, rate limit in
  Redis, one log line, quota, ledger and job in one transaction, BullMQ. For webhooks: claim, secret, two signatures, POST,
  attempt and outcome, each with a commit.
floor: the least that the work can be: node:http, one named statement, one commit. Results and later pages: the same bytes,
  ready-made, from one row. Jobs: a BullMQ worker with two UPDATEs. Webhooks: a signature and a POST from memory.
event streams: for each second in which all are open; same reads each job every two seconds, floor sends heartbeats only.
list: one account with a million jobs, 20 per page, read repeatedly.
job: claim, lease, steps, transcript, summary, result, ledger and notification; fetching and summarizing cost nothing.
`

/** Words that select lines of the table; without any, all run. Those with tables of their own can run separately. */
const filters = process.argv.slice(2)

let cleanUp: () => Promise<unknown> = async () => {}

const SEPARATE: Record<string, () => Promise<string>> = {
  captions: () => measureCaptions(say),
  summaries: () => measureSummaries(say),
  costs: measureSummaryCosts,
  mixed: () => measureMixedLoad(say, filters.slice(1)),
  writes: () => measureWriteCosts(say, filters.includes('statements')),
  scale: () => measureScale(say, filters.slice(1)),
}

async function main(): Promise<void> {
  const chosen = Object.entries(SEPARATE).filter(([name]) =>
    filters.length === 0 ? name !== 'scale' : filters[0] === name,
  )
  for (const [, measure] of chosen) console.log(`\n${await measure()}\n`)
  if (filters.length === 0 || chosen.length === 0) await measureService()
}

async function measureService(): Promise<void> {
  say('starting Postgres, Redis and the processes (separate from yours, and removed at the end)')
  const opening = openTestBed(say)
  // Where opening fails, everything is already closed.
  cleanUp = async () => (await opening.catch(() => null))?.close()
  const testBed = await opening
  const setup = await openApiSetup(testBed)
  const benchmarks = [
    ...apiBenchmarks(setup),
    ...listBenchmarks(setup, say),
    ...streamBenchmarks(setup, say),
    ...(await openWorkerBenchmarks(testBed)),
    ...webhookBenchmarks(testBed),
  ]
  const chosen = benchmarks.filter(({ name, extra }) =>
    filters.length === 0 ? !extra : filters.every((word) => word === 'all' || name.includes(word)),
  )
  const lines: string[] = []
  for (const [index, benchmark] of chosen.entries()) {
    say(`${index + 1} of ${chosen.length}: ${benchmark.name}`)
    const added = tableLines(benchmark.name, await benchmark.run())
    for (const line of added) console.error(line)
    lines.push(...added)
  }
  const { platform, arch, version } = process
  console.log(
    `\n${cpus().length} x ${cpus()[0]?.model}, ${platform}-${arch}, Node ${version}, ${testBed.servers.redis?.kind}`,
  )
  if (!canReadCpuTime()) console.log('CPU times are not available: this system has no /proc.')
  console.log(`\n${TABLE_HEAD}\n${lines.join('\n')}\n${NOTES}`)
}

const interrupted = new Promise<never>((_, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => reject(new Error(`Interrupted by ${signal}.`)))
  }
})

const code = await Promise.race([main(), interrupted]).then(
  () => 0,
  (error: Error) => {
    console.error(error.stack)
    return 1
  },
)
say('stopping everything')
await cleanUp()
process.exit(code)
