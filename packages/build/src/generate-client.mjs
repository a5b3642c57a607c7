import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const SCHEMA = 'prisma/schema.prisma'
const CLIENT = 'packages/db/src/generated'
/** Records what the client was generated from. */
const STAMP = `${CLIENT}/.inputs`
/** The last one contains the version of the generator. */
const INPUTS = [SCHEMA, 'node_modules/@prisma/client-generator-ts/package.json']

/** Whether there is a client, generated from whatever input. */
export const hasClient = (root) => existsSync(join(root, STAMP))

/**
 * Generates the database client from the Prisma schema, unless the one that is there was generated from the same input.
 * Throws if the schema has a fault. Calls the generator itself: Prisma's command line would add 120 MB to the install.
 */
export async function generateClient(root, say) {
  const hash = createHash('sha256')
  for (const input of INPUTS) hash.update(readFileSync(join(root, input)))
  const wanted = hash.digest('hex')
  const stamp = join(root, STAMP)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  say(`generating the database client from ${SCHEMA}`)
  rmSync(stamp, { force: true })
  // Neither package can be imported: their modules name files without extension.
  const require = createRequire(join(root, 'package.json'))
  const { PrismaClientTsGenerator } = require('@prisma/client-generator-ts')
  const { getGenerators, loadSchemaContext } = require('@prisma/internals')
  const schemaContext = await loadSchemaContext({ schemaPath: { cliProvidedPath: join(root, SCHEMA) } })
  const registry = { 'prisma-client': { type: 'in-process', generator: new PrismaClientTsGenerator() } }
  for (const generator of await getGenerators({ schemaContext, registry, skipDownload: true })) {
    await generator.generate()
    generator.stop()
  }
  writeFileSync(stamp, wanted)
}
