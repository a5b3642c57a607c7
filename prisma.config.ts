import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'prisma/config'

const root = dirname(fileURLToPath(import.meta.url))

// Generating the client needs no engine, yet the CLI wants to download one first and fails where its host cannot be
// reached. Naming an existing file keeps it from asking. Only for `generate`: with a file that is no engine, the
// migration commands would do nothing and report success.
const onlyGenerates = process.argv.includes('generate')
const engines = join(root, 'node_modules/@prisma/engines')
if (onlyGenerates && existsSync(engines)) process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= join(engines, 'package.json')

export default defineConfig({
  schema: join(root, 'prisma/schema.prisma'),
  migrations: { path: join(root, 'prisma/migrations') },
  ...(process.env.DATABASE_URL && { datasource: { url: process.env.DATABASE_URL } }),
})
