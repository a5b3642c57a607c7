import { readdirSync, readFileSync } from 'node:fs'

const ROOT = new URL('../../../', import.meta.url)
const FOLDERS = [
  'apps/api',
  'apps/mcp',
  'apps/standalone',
  'apps/webhooks',
  'apps/worker',
  'packages/mcp',
  'packages/runtime',
]

test('no process of the service starts an HTTP server without the limits of all of them', () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(new URL(`${folder}/src`, ROOT), { recursive: true, encoding: 'utf8' }).map(
      (file) => `${folder}/src/${file}`,
    ),
  ).filter((file) => /(?<!\.test)\.ts$/.test(file) && !file.includes('/testing/'))
  const starting = files.filter((file) =>
    /\bcreateServer\b[^}]*\} from 'node:https?'/.test(readFileSync(new URL(file, ROOT), 'utf8')),
  )
  expect(files.length).toBeGreaterThan(200)
  expect(starting).toEqual(['packages/runtime/src/http-server.ts'])
})
