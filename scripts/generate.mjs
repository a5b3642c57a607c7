import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const CLIENT = 'packages/db/src/generated'
const INPUTS = ['prisma/schema.prisma', 'prisma.config.ts', 'node_modules/prisma/package.json']

/** Generates the database client from the Prisma schema, unless the one that is there was generated from the same input. */
export function generateClient(root, say) {
  const hash = createHash('sha256')
  for (const input of INPUTS) hash.update(readFileSync(join(root, input)))
  const wanted = hash.digest('hex')
  const stamp = join(root, CLIENT, '.inputs')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  say('generating the database client from prisma/schema.prisma')
  const cli = join(root, 'node_modules/prisma/build/index.js')
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'generate'], { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`The database client could not be generated:\n${stdout}${stderr}`)
  writeFileSync(stamp, wanted)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  generateClient(resolve(import.meta.dirname, '..'), (text) => process.stderr.write(`${text}\n`))
}
