import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { inheritedEnv } from '@subtext/embedded/testing'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const PRISMA = fileURLToPath(new URL('../../../node_modules/prisma/build/index.js', import.meta.url))

// Only `generate` may work without the engine: with any other file in its place, these would succeed.
test.each([
  ['migrate', 'deploy'],
  ['db', 'push'],
])('`prisma %s %s` fails where the schema engine cannot be downloaded, instead of doing nothing', (...command) => {
  const env = {
    ...inheritedEnv(),
    CHECKPOINT_DISABLE: '1',
    DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/nothing',
    PRISMA_ENGINES_MIRROR: 'http://127.0.0.1:1',
  }
  const { status, stderr } = spawnSync(process.execPath, [PRISMA, ...command], { cwd: ROOT, env, encoding: 'utf8' })
  expect([status, stderr]).toEqual([1, expect.stringContaining('Error')])
})
