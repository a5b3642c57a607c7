import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Finding, findViolations } from '../finding.ts'
import { parseUnit, readSettingsExample, readUnits, UNIT_POLICIES, UNITS } from './units.ts'

const files = readUnits()
const settings = { ...readSettingsExample(), WEBHOOK_SECRET_KEY: '0'.repeat(64) }

const findProblems = (texts: Map<string, string>, given: Record<string, string> = settings): Finding[] =>
  findViolations(
    { units: new Map([...texts].map(([name, text]) => [name, parseUnit(text)])), settings: given },
    UNIT_POLICIES,
  )

test('the units violate no policy with the settings of the example', () => {
  expect(files.size).toBe(6)
  expect(findProblems(files)).toEqual([])
})

test.each<[policy: string, unit: string, from: string, to: string]>([
  ['known-program', 'subtext-api.service', 'dist/api/main.js', 'dist/api/index.js'],
  ['confined', 'subtext-api.service', 'ProtectSystem=strict\n', ''],
  ['confined', 'subtext-worker@.service', 'PartOf=subtext.target\n', ''],
  ['memory-limit', 'subtext-migrate.service', 'MemoryMax=', 'MemoryHigh='],
  ['grace-period', 'subtext-worker@.service', 'TimeoutStopSec=140', 'TimeoutStopSec=130'],
  ['restart', 'subtext-webhooks.service', 'Restart=always', 'Restart=on-failure'],
  ['own-metrics', 'subtext-mcp.service', 'METRICS_PORT=9466', 'METRICS_PORT=9464'],
  ['after-migration', 'subtext-webhooks.service', ' subtext-migrate.service\nAfter', '\nAfter'],
  ['after-migration', 'subtext-api.service', 'PartOf=', 'Requires=subtext-migrate.service\nPartOf='],
  ['after-migration', 'subtext-worker@.service', 'ExecStartPre=', '# '],
  ['retry', 'subtext-migrate.service', 'Restart=on-failure\n', ''],
  ['heap', 'subtext-worker@.service', 'max-old-space-size=256', 'max-old-space-size=4096'],
  ['valid-settings', 'subtext-worker@.service', 'SHUTDOWN_GRACE_SECONDS=120', 'SHUTDOWN_GRACE_SECONDS=soon'],
])('notices a violation of %s in %s', (policy, unit, from, to) => {
  const text = files.get(unit) ?? ''
  expect(text).toContain(from)
  const found = findProblems(new Map([...files, [unit, text.replace(from, to)]]))
  expect(found.map((finding) => finding.policy)).toContain(policy)
})

test('notices an example without the settings of production', () => {
  const found = findProblems(files, { ...settings, HTTPS_ONLY: 'false' })
  expect(found.map((finding) => finding.policy)).toContain('production-settings')
})

const testWithSystemd = spawnSync('systemd-analyze', ['--version']).status === 0 ? test : test.skip

testWithSystemd('systemd understands every line of the units (needs systemd-analyze)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'subtext-units-'))
  try {
    cpSync(UNITS, folder, { recursive: true })
    const paths = [...files.keys()].map((name) => join(folder, name.replace('@.', '@1.')))
    cpSync(join(folder, 'subtext-worker@.service'), join(folder, 'subtext-worker@1.service'))
    const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', '--recursive-errors=no', ...paths], {
      encoding: 'utf8',
    })
    // Neither the user nor Node.js need to be on this machine.
    const complaints = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('subtext'))
    expect(complaints.filter((line) => !/is not executable: No such file/.test(line))).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
