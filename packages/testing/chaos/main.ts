import { parseArgs } from 'node:util'
import { findRedisServer } from '@subtext/embedded'
import { CONTROLS, type Control, isControl } from './controls.ts'
import { formatReport } from './report.ts'
import { runChaos } from './run.ts'

const USAGE = `npm run chaos -- [--rounds N] [--seed S] [--hurry] [--control ${CONTROLS.join('|')}|all]

Kills, freezes, empties and cuts off everything the service consists of while it works, and holds what came of it against
what it promised. Exit code 0: every promise was kept. The same seed draws the same faults.
  --hurry    two faults a round, and leases of the dead run out at once after the last one
  --control  goes without a safeguard: the run has to end with 1. all: one run each, 0 when every one of them ended red`

const CONTROL_ROUNDS = 8
const DEFAULT_ROUNDS = 20

const started = performance.now()
const say = (text: string): void =>
  console.error(`[${((performance.now() - started) / 1_000).toFixed(0).padStart(4)} s] ${text}`)

interface Arguments {
  rounds?: number
  seed: number
  hurry: boolean
  controls: Control[]
  all: boolean
}

function readArguments(): Arguments | null {
  const text = { type: 'string' } as const
  const options = { rounds: text, seed: text, control: text, hurry: { type: 'boolean' } } as const
  try {
    const { values } = parseArgs({ options })
    const [rounds, seed] = [values.rounds, values.seed ?? '1'].map((given) =>
      given === undefined ? undefined : Number(given),
    )
    const { control = '', hurry = false } = values
    const all = control === 'all'
    if (![rounds ?? 1, seed].every((value) => Number.isSafeInteger(value) && Number(value) > 0)) return null
    if (control && !all && !isControl(control)) return null
    return { rounds, seed: seed ?? 1, hurry, all, controls: all ? [...CONTROLS] : isControl(control) ? [control] : [] }
  } catch {
    return null
  }
}

/** Whether every promise was kept. */
async function runOnce({ rounds, seed, hurry }: Arguments, control?: Control): Promise<boolean> {
  const fallback = control ? CONTROL_ROUNDS : DEFAULT_ROUNDS
  const report = await runChaos({ rounds: rounds ?? fallback, seed, hurry: hurry || Boolean(control), control, say })
  console.log(`\n${control ? `Without the ${control}: ` : ''}${formatReport(report)}`)
  return Object.keys(report.violations).length === 0
}

async function main(wanted: Arguments): Promise<number> {
  if (wanted.controls.length === 0) return (await runOnce(wanted)) ? 0 : 1
  const unnoticed: Control[] = []
  for (const control of wanted.controls) if (await runOnce(wanted, control)) unnoticed.push(control)
  const red = wanted.controls.length - unnoticed.length
  console.log(
    `\n${red} of ${wanted.controls.length} controls were noticed.${unnoticed.length ? ` Not: ${unnoticed}` : ''}`,
  )
  // One run without a safeguard ends as it found things; all of them are a test of the checks.
  const asExpected = unnoticed.length === 0
  return wanted.all === asExpected ? 0 : 1
}

const wanted = readArguments()
if (!wanted) {
  console.error(USAGE)
  process.exit(2)
}
if (!findRedisServer()) {
  console.error(
    'This needs a real redis-server (or valkey-server) on the PATH: one that keeps its data and can be killed.',
  )
  process.exit(2)
}
// Servers end with a process that exits, not with one that a signal ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))
process.exit(
  await main(wanted).catch((error: Error) => {
    console.error(error.stack)
    return 1
  }),
)
