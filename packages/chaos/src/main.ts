import { parseArgs } from 'node:util'
import { findRedisServer } from '@subtext/embedded'
import { CONTROLS, type Control, EXPECTED_VIOLATIONS, isControl } from './controls.ts'
import { formatReport } from './report.ts'
import { runChaos } from './run.ts'

const USAGE = `npm run chaos -- [--rounds N] [--seed S] [--hurry] [--control ${CONTROLS.join('|')}|all]

Kills, freezes, empties and disconnects the parts of the service while it works, and checks the outcome against its
promises. Exits with 0 when every promise was kept. The same seed draws the same faults.
  --rounds   number of rounds (default 20, with --control 8)
  --seed     seed of the random numbers (default 1)
  --hurry    two faults per round; after the last one, leases of killed processes expire at once
  --control  removes a safeguard, so that the run must exit with 1; "all" runs each control in turn and exits with 0
             when every missing safeguard was noticed`

const CONTROL_ROUNDS = 8
const DEFAULT_ROUNDS = 20

const startedAt = performance.now()
const say = (text: string): void =>
  console.error(`[${((performance.now() - startedAt) / 1_000).toFixed(0).padStart(4)} s] ${text}`)

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
    const [rounds, seed] = [values.rounds, values.seed ?? '1'].map((text) =>
      text === undefined ? undefined : Number(text),
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

async function main(args: Arguments): Promise<number> {
  if (args.control !== 'all') return (await runOnce(args, args.control)).size === 0 ? 0 : 1
  const unnoticed: Control[] = []
  for (const control of CONTROLS) {
    if (!(await runOnce(args, control)).has(EXPECTED_VIOLATIONS[control])) unnoticed.push(control)
  }
  const noticed = CONTROLS.length - unnoticed.length
  console.log(
    `\n${noticed} of ${CONTROLS.length} missing safeguards were noticed.${unnoticed.length ? ` Unnoticed: ${unnoticed.join(', ')}.` : ''}`,
  )
  return unnoticed.length === 0 ? 0 : 1
}

const args = readArguments()
if (!args) {
  console.error(USAGE)
  process.exit(2)
}
if (!findRedisServer()) {
  console.error(
    'A redis-server or valkey-server is required on the PATH: one that persists its data and can be killed. Install one.',
  )
  process.exit(2)
}
// Exits explicitly, because servers are stopped when the process exits, but not when a signal terminates it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))
process.exit(
  await main(args).catch((error: Error) => {
    console.error(error.stack)
    return 1
  }),
)
