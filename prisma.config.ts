import { fileURLToPath } from 'node:url'

// Every command of Prisma looks for its schema engine, and downloads it if it is missing. `generate` does not run it, so any
// file will do, and the client can be generated without a network. No other command may get such a file in place of the
// engine: migrations would do nothing and succeed.
if (process.argv[2] === 'generate') process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= fileURLToPath(import.meta.url)

/** For the commands of Prisma. The service itself does not read it. */
export default {
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  ...(process.env.DATABASE_URL && { datasource: { url: process.env.DATABASE_URL } }),
}
