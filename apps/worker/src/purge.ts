import { type Purged, purgeAll } from '@subtext/core/retention'
import { openDb } from '@subtext/db'
import { readPurgeEnv, selectRetention } from './env.ts'

const USAGE = `Usage: node dist/worker/purge.js

Deletes data older than RETENTION_RESULTS_DAYS, RETENTION_CACHE_DAYS and RETENTION_WEBHOOKS_DAYS, and expired data that is kept
for a fixed time, however much it is. Can be repeated and interrupted at any time, and may run beside workers.
Exit code 0: everything is deleted; 1: it was interrupted or has failed; 2: invalid arguments.`

/** Every statement is short: one that takes longer is waiting for a server that does not respond. */
const STATEMENT_TIMEOUT_MS = 60_000

async function main(args: string[]): Promise<number> {
  if (args.length > 0) {
    const asksForHelp = args.every((arg) => arg === '--help' || arg === '-h')
    process[asksForHelp ? 'stdout' : 'stderr'].write(`${USAGE}\n`)
    return asksForHelp ? 0 : 2
  }
  const env = readPurgeEnv()
  const stopping = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopping.abort())
  const db = openDb({ url: env.DATABASE_URL, maxConnections: 1, queryTimeoutMs: STATEMENT_TIMEOUT_MS })
  try {
    const purged = await purgeAll({ db, clock: () => new Date() }, selectRetention(env), stopping.signal)
    process.stdout.write(`${describePurged(purged)}\n`)
    if (stopping.signal.aborted) process.stderr.write('Interrupted before everything was deleted.\n')
    return stopping.signal.aborted ? 1 : 0
  } finally {
    await db.close()
  }
}

function describePurged(purged: Purged): string {
  const parts = Object.entries(purged)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${kind}`)
  return parts.length > 0 ? `Deleted ${parts.join(', ')}.` : 'There was nothing to delete.'
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: Error) => {
    process.stderr.write(`Cannot purge: ${error.message}\n`)
    process.exit(1)
  },
)
