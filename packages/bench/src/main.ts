import { cpus } from 'node:os'
import { openApiTrials } from './api-trial.ts'
import { measureCaptions } from './caption-trial.ts'
import { openLaboratory } from './laboratory.ts'
import { listTrials } from './list-trial.ts'
import { canReadProcessorTime } from './processor-time.ts'
import { openStage } from './stage.ts'
import { TABLE_HEAD, tableLine } from './table.ts'
import { webhookTrials } from './webhook-trial.ts'
import { openWorkerTrials } from './worker-trial.ts'

const started = performance.now()
const say = (text: string): void =>
  console.error(`[${((performance.now() - started) / 1_000).toFixed(0).padStart(3)} s] ${text}`)

const NOTES = `
Both sides run in turns on one machine, and every figure is a median over rounds; ratios are ours over bare, of rounds
that followed one another. A rate above 1x and a CPU below 1x are in our favour. Processes, servers and the generator
of the load share the machine's processors. Postgres and Redis are the embedded ones, with fsync as in \`npm start\`.

accept: ours is POST /videos/process with keys, plan gates, quota and log, each request by the next user. Bare is
  Express, the same zod schema, one prisma.job.create into a table with a primary key only, one queue.add of BullMQ.
job: ours is claim, lease, steps, transcript, summary, result, ledger, signal; what it fetches and writes costs
  nothing. Bare is a BullMQ worker with two UPDATEs. Both do 8 jobs at once.
result: ours renders from the stored cues. Bare sends the same bytes, ready-made, from one row. status: bare sends a row.
list: of one account with a million jobs, 20 a page. Bare sends the same bytes, ready-made, from one row.
webhook: ours claims, loads, signs twice, posts, records attempt and state. Bare signs and posts what it has in memory.
`

/** Words that select lines of the table; none selects all. `captions` selects the table of captions alone. */
const wanted = process.argv.slice(2)

let cleanUp: () => Promise<unknown> = async () => {}

/** Needs none of the servers, so it can be had alone. */
const CAPTIONS = 'captions'

async function main(): Promise<void> {
  if (wanted.length === 0 || wanted[0] === CAPTIONS) console.log(`\n${await measureCaptions(say)}\n`)
  if (wanted[0] !== CAPTIONS) await measureService()
}

async function measureService(): Promise<void> {
  say('starting Postgres, Redis and the processes (nothing of yours is used or kept)')
  const opening = openLaboratory(say)
  // What fails to open has closed itself.
  cleanUp = async () => (await opening.catch(() => null))?.close()
  const lab = await opening
  const stage = await openStage(lab)
  const trials = [
    ...(await openApiTrials(stage)),
    ...listTrials(stage, say),
    ...(await openWorkerTrials(lab)),
    ...webhookTrials(lab),
  ]
  const chosen = trials.filter(({ name }) => wanted.every((word) => name.includes(word)))
  const lines: string[] = []
  for (const [index, trial] of chosen.entries()) {
    say(`${index + 1} of ${chosen.length}: ${trial.name}`)
    lines.push(tableLine(trial.name, await trial.run()))
  }
  const { platform, arch, version } = process
  console.log(
    `\n${cpus().length} x ${cpus()[0]?.model}, ${platform}-${arch}, Node ${version}, ${lab.servers.redis?.kind}`,
  )
  if (!canReadProcessorTime()) console.log('CPU times are read from /proc, which is not here: those columns are void.')
  console.log(`\n${TABLE_HEAD}\n${lines.join('\n')}\n${NOTES}`)
}

const interrupted = new Promise<never>((_, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => reject(new Error(`Ended by ${signal}.`)))
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
