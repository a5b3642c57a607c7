import { parseArgs } from 'node:util'
import { findRedisServer } from '@subtext/embedded'
import { CONTROLS, type Control, isControl, MISSED } from './controls.ts'
import { formatReport } from './report.ts'
import { runChaos } from './run.ts'

const USAGE = `npm run chaos -- [--rounds N] [--seed S] [--hurry] [--control ${CONTROLS.join('|')}|all]

Kills, freezes, empties and cuts off everything the service consists of while it works, and holds what came of it against
what it promised. Exit code 0: every promise was kept. The same seed draws the same faults.
  --hurry    two faults a round, and leases of the dead run out at once after the last one
  --control  goes without a safeguard: the run has to end with 1. all: one run each, 0 when each of them missed it`

const CONTROL_ROUNDS = 8
const DEFAULT_ROUNDS = 20

const started = performance.now()
const say = (text: string): void =>
  console.error(`[${((performance.now() - started) / 1_000).toFixed(0).padStart(4)} s] ${text}`)

interface Arguments {
  rounds?: number
  seed: number
  hurry: boolean
  control?: Control | 'all'
}

function readArguments(): Arguments | null {
  const text = { type: 'string' } as const
  const options = { rounds: text, seed: text, control: text, hurry: { type: 'boolean' } } as const
  try {
    const { values } = parseArgs({ options })
    const [rounds, seed] = [values.rounds, values.seed ?? '1'].map((given) =>
      given === undefined ? undefined : Number(given),
    )
    const { control, hurry = false } = values
    if (![rounds ?? 1, seed].every((value) => Number.isSafeInteger(value) && Number(value) > 0)) return null
    if (control !== undefined && control !== 'all' && !isControl(control)) return null
    return { rounds, seed: seed ?? 1, hurry, control }
  } catch {
    return null
  }
}

async function runOnce({ rounds, seed, hurry }: Arguments, control?: Control): Promise<Set<string>> {
  const fallback = control ? CONTROL_ROUNDS : DEFAULT_ROUNDS
  const report = await runChaos({ rounds: rounds ?? fallback, seed, hurry: hurry || Boolean(control), control, say })
  console.log(`\n${control ? `Without the ${control}: ` : ''}${formatReport(report)}`)
  return new Set(Object.keys(report.violations))
}

async function main(wanted: Arguments): Promise<number> {
  if (wanted.control !== 'all') return (await runOnce(wanted, wanted.control)).size === 0 ? 0 : 1
  const unnoticed: Control[] = []
  for (const control of CONTROLS) if (!(await runOnce(wanted, control)).has(MISSED[control])) unnoticed.push(control)
  const noticed = CONTROLS.length - unnoticed.length
  console.log(
    `\n${noticed} of ${CONTROLS.length} controls were noticed.${unnoticed.length ? ` Not: ${unnoticed}` : ''}`,
  )
  return unnoticed.length === 0 ? 0 : 1
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
