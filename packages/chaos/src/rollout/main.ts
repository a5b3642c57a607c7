import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findRedisServer } from '@subtext/embedded'
import { findTool } from '@subtext/embedded/testing'
import { type RolloutReport, runRollout } from './run.ts'

const USAGE = `npm run rollout -- [--install DIR] [--previous DIR] [--rate N]

Runs two APIs, three workers and two webhook senders of a production install behind HAProxy and PgBouncer, restarts each
of them under load, and kills one of each. Exits with 0 if no request, job or webhook was lost.
  --install   folder of the release, with its dist/ (default: this repository)
  --previous  folder of the release before it: its processes first work on the migrated database under load
  --rate      submissions per second (default 5)`

const startedAt = performance.now()
const say = (text: string): void =>
  void process.stderr.write(`[${((performance.now() - startedAt) / 1_000).toFixed(0).padStart(4)} s] ${text}\n`)

const line = (name: string, text: string | number): string => `${name.padEnd(36)}${text}`
const MAX_SHOWN = 5

function formatReport({ load, phases, violations, ...report }: RolloutReport): string {
  const refused = [...load.refused].map(([what, count]) => `${what}: ${count}`).join(', ')
  return [
    line('behind PgBouncer', report.isPooled ? 'yes' : 'no: pgbouncer 1.21 or newer is not installed'),
    ...phases.map(({ name, seconds, repeated }) =>
      line(name, `${seconds.toFixed(1)} s, ${repeated} requests repeated`),
    ),
    line('requests sent', load.requests),
    line('refused and repeated', refused || 'none'),
    line('requests lost', load.lost),
    line('slowest reply', `${(load.slowestMs / 1_000).toFixed(2)} s`),
    line('longest pause between acceptances', `${(load.longestPauseMs / 1_000).toFixed(2)} s`),
    line('jobs accepted, completed', `${report.accepted}, ${report.completed}`),
    line(
      'seconds per job: median, longest',
      `${report.seconds.median.toFixed(1)}, ${report.seconds.longest.toFixed(1)}`,
    ),
    line('webhooks received, repeated', `${report.webhooks.received}, ${report.webhooks.repeated}`),
    ...report.crashes.map((text) => `BROKEN ${text}`),
    ...Object.entries(violations).map(
      ([what, found]) => `BROKEN ${what}: ${found.length}, such as ${JSON.stringify(found.slice(0, MAX_SHOWN))}`,
    ),
    '',
  ].join('\n')
}

async function main(): Promise<number> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { install: text, previous: text, rate: text } })
  const perSecond = Number(values.rate ?? 5)
  const missing = ['haproxy'].filter((name) => !findTool(name))
  if (!findRedisServer()) missing.push('redis-server')
  if (missing.length > 0 || !(perSecond > 0)) throw new Error(`${USAGE}\nMissing: ${missing.join(', ') || 'a rate'}`)
  const report = await runRollout({
    install: resolve(values.install ?? '.'),
    ...(values.previous !== undefined && { previous: resolve(values.previous) }),
    perSecond,
    say,
  })
  process.stdout.write(formatReport(report))
  const isBroken = Object.keys(report.violations).length + report.crashes.length + report.load.lost > 0
  return isBroken ? 1 : 0
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))
process.exit(
  await main().catch((error: Error) => {
    process.stderr.write(`${error.message}\n`)
    return 2
  }),
)
