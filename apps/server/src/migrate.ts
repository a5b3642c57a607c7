import { migrate } from '@subtext/db'
import { CommonEnv, EnvError, loadEnv } from '@subtext/runtime'
import { readSettings } from './env.ts'
import { assertReachable } from './reachable-servers.ts'

/** Applies pending migrations to `DATABASE_URL`, for deployments that run each process separately. */
async function main(): Promise<void> {
  const { DATABASE_URL } = loadEnv(CommonEnv.pick({ DATABASE_URL: true }), readSettings())
  await assertReachable({ DATABASE_URL })
  const applied = await migrate(DATABASE_URL)
  for (const name of applied) console.log(`applied ${name}`)
  console.log(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.length} migration(s).`)
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof EnvError ? error.message : `Cannot migrate: ${(error as Error).message}`)
    process.exit(1)
  },
)
