import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const SCRIPT = resolve(fileURLToPath(import.meta.url), '../generated.mjs')
const ROOT = resolve(SCRIPT, '../../../..')
const DASHBOARDS = 'k8s/components/monitoring/dashboards'
const GUIDES = ['errors', 'formats', 'limits', 'webhooks'].map((name) => `docs/guides/${name}.md`)
const OTHERS = [
  ...['.env.example', 'apps/api/src/openapi.json'],
  ...['_calls', 'types'].map((name) => `clients/python/subtext/${name}.py`),
  ...['types', 'vocabulary'].map((name) => `packages/sdk/src/generated/${name}.ts`),
  ...['docs/operating/metrics.md', 'docker/alerts.yaml', 'k8s/components/monitoring/rules.yaml'],
  ...readdirSync(join(ROOT, DASHBOARDS)).map((name) => `${DASHBOARDS}/${name}`),
]

test('the check names every generated file that is stale, and the command that mends them', () => {
  const root = mkdtempSync(join(tmpdir(), 'subtext-generated-'))
  try {
    for (const path of [...GUIDES, ...OTHERS]) {
      const text = readFileSync(join(ROOT, path), 'utf8')
      const stale = GUIDES.includes(path) ? text.replace(/(?<=^<!-- \w+ -->\n)/m, 'old') : `${text}old`
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), stale)
    }
    const { status, stderr } = spawnSync(process.execPath, [SCRIPT, '--check', root], { encoding: 'utf8' })
    const expected = [...GUIDES, ...OTHERS].map((path) => `${path} is stale. Run \`npm run generate\`.`)
    expect([status, stderr.trim().split('\n').sort()]).toEqual([1, expected.sort()])
  } finally {
    rmSync(root, { recursive: true })
  }
})
