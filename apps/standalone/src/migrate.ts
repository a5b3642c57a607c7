import { migrate } from '@subtext/db'
import { CommonEnv, EnvError, loadEnv } from '@subtext/runtime'
import { awaitMigrations } from './await-migrations.ts'
import { readSettings } from './env.ts'
import { assertReachable } from './reachable-servers.ts'

const USAGE = `Usage: node dist/standalone/migrate.js [--wait]

Applies pending migrations to DATABASE_URL, for deployments that run each process separately.
With --wait, applies nothing, and ends when another process has applied every migration of this build.`

async function main(args: string[]): Promise<void> {
  if (args.includes('--help')) return console.log(USAGE)
  if (args.some((arg) => arg !== '--wait')) {
    console.error(USAGE)
    process.exit(2)
  }
  const { DATABASE_URL } = loadEnv(CommonEnv.pick({ DATABASE_URL: true }), readSettings())
  if (args.length > 0) return wait(DATABASE_URL)
  await assertReachable({ DATABASE_URL })
  const applied = await migrate(DATABASE_URL, { onWait: (text) => console.log(text) })
  for (const name of applied) console.log(`applied ${name}`)
  console.log(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.length} migration(s).`)
}

async function wait(url: string): Promise<void> {
  // As the first process of a container it would otherwise ignore these signals.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(1))
  await awaitMigrations(url, (text) => console.log(text))
  console.log('The database is up to date.')
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof EnvError ? error.message : `Cannot migrate: ${(error as Error).message}`)
    process.exit(1)
  },
)
