import { cpus } from 'node:os'
import { openApiBenchmarks } from './api-benchmarks.ts'
import { openApiSetup } from './api-setup.ts'
import { measureCaptions } from './caption-benchmarks.ts'
import { canReadCpuTime } from './cpu-time.ts'
import { listBenchmarks } from './list-benchmarks.ts'
import { measureSummaries } from './summary-benchmarks.ts'
import { measureSummaryCosts } from './summary-costs.ts'
import { TABLE_HEAD, tableLine } from './table.ts'
import { openTestBed } from './test-bed.ts'
import { webhookBenchmarks } from './webhook-benchmarks.ts'
import { openWorkerBenchmarks } from './worker-benchmarks.ts'
import { measureWriteCosts } from './write-costs.ts'

const startedAt = performance.now()
const say = (text: string): void =>
  console.error(`[${((performance.now() - startedAt) / 1_000).toFixed(0).padStart(3)} s] ${text}`)

const NOTES = `
Both sides run alternately on one machine, and every figure is a median over rounds. Ratios are ours divided by the
baseline's, over pairs of consecutive rounds: a rate above 1x and CPU below 1x are in our favor. Processes, servers and
the load generator share the machine's processors. Postgres and Redis are the embedded ones, with fsync as in \`npm start\`.

accept: ours is POST /videos/process with keys, plan checks, quota and logging, each request by a different user. The
  baseline is Express, the same zod schema, one prisma.job.create into a table with only a primary key, and one
  queue.add of BullMQ.
job: ours is claim, lease, steps, transcript, summary, result, ledger and notification; fetching and summarizing cost
  nothing. The baseline is a BullMQ worker with two UPDATEs. Both run 8 jobs concurrently.
result: ours renders the stored cues. The baseline sends the same bytes, already rendered, from one row.
status: the baseline sends one row.
list: one account with a million jobs, 20 per page. The baseline sends the same bytes, already rendered, from one row.
webhook: ours claims, loads, signs twice, posts, and records the attempt and its outcome. The baseline signs and posts
  what it has in memory.
`

/** Words that select lines of the table; without any, all run. Those with tables of their own can run separately. */
const filters = process.argv.slice(2)

let cleanUp: () => Promise<unknown> = async () => {}

const SEPARATE: Record<string, () => Promise<string>> = {
  captions: () => measureCaptions(say),
  summaries: () => measureSummaries(say),
  costs: measureSummaryCosts,
  writes: () => measureWriteCosts(say, filters.includes('statements')),
}

async function main(): Promise<void> {
  const chosen = Object.entries(SEPARATE).filter(([name]) => filters.length === 0 || filters[0] === name)
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
    ...(await openApiBenchmarks(setup)),
    ...listBenchmarks(setup, say),
    ...(await openWorkerBenchmarks(testBed)),
    ...webhookBenchmarks(testBed),
  ]
  const chosen = benchmarks.filter(({ name }) => filters.every((word) => name.includes(word)))
  const lines: string[] = []
  for (const [index, benchmark] of chosen.entries()) {
    say(`${index + 1} of ${chosen.length}: ${benchmark.name}`)
    lines.push(tableLine(benchmark.name, await benchmark.run()))
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
