import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const CLIENT = 'packages/db/src/generated'
/** Records what the client was generated from. */
const STAMP = `${CLIENT}/.inputs`
/** The last one contains the version of Prisma. */
const INPUTS = ['prisma/schema.prisma', 'prisma.config.ts', 'node_modules/prisma/package.json']

/** Whether there is a client, generated from whatever input. */
export const hasClient = (root) => existsSync(join(root, STAMP))

/** Generates the database client from the Prisma schema, unless the one that is there was generated from the same input. */
export async function generateClient(root, say) {
  const hash = createHash('sha256')
  for (const input of INPUTS) hash.update(readFileSync(join(root, input)))
  const wanted = hash.digest('hex')
  const stamp = join(root, STAMP)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  say('generating the database client from prisma/schema.prisma')
  const cli = join(root, 'node_modules/prisma/build/index.js')
  const child = spawn(process.execPath, [cli, 'generate'], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  if (code !== 0) throw new Error(`The database client could not be generated:\n${out}${err}`)
  writeFileSync(stamp, wanted)
}
