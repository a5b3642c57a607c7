import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { ROOT } from '../paths.ts'
import { CASES, UP } from './alert-cases.ts'
import { ALERTS, ANSWERS_ABOUT_A_VIDEO, OBJECTIVES, RECORDING_RULES } from './alerts.ts'
import { listMetrics, PROCESS_METRICS } from './catalogue.ts'
import { DASHBOARDS } from './dashboards.ts'
import { findPromtool } from './promtool.ts'
import { buildPrometheusRule, buildRuleFile, runbookOf } from './rule-files.ts'

const promtool = findPromtool()
const queries = DASHBOARDS.flatMap(({ title, panels }) =>
  panels.flatMap((panel) => Object.values(panel.queries).map((expr) => [`${title}: ${panel.title}`, expr] as const)),
)
const rules = [
  ...ALERTS.map(({ name, expr }) => [name, expr] as const),
  ...RECORDING_RULES.map(({ record, expr }) => [record, expr] as const),
]

/** Names that a query reads, without labels and functions. */
const namesIn = (expr: string): string[] =>
  expr.match(/\b(?:subtext|process|nodejs|kube)_[\w:]+|\bsubtext:[\w:]+|\bup\b/g) ?? []

const suffixes = { counter: [''], gauge: [''], histogram: ['_bucket', '_sum', '_count'] }
const known = new Set([
  ...listMetrics().flatMap(({ name, type }) => suffixes[type].map((suffix) => `${name}${suffix}`)),
  ...RECORDING_RULES.map(({ record }) => record),
  ...PROCESS_METRICS,
  // Of kube-state-metrics.
  'kube_cronjob_created',
  'kube_cronjob_status_last_successful_time',
  'up',
])

test.each([...rules, ...queries])('%s reads metrics that exist', (_, expr) => {
  expect(namesIn(expr).length).toBeGreaterThan(0)
  expect(namesIn(expr).filter((name) => !known.has(name))).toEqual([])
})

test('every label that a query groups by or selects is one of its metric', () => {
  const labels = new Set(listMetrics().flatMap((metric) => Object.keys(metric.labels)))
  const given = new Set([...labels, 'le', 'job', 'instance', 'cronjob', 'namespace'])
  for (const [where, expr] of [...rules, ...queries]) {
    const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/))
    const selected = [...expr.matchAll(/(\w+)(?:=~|!=|=|!~)"/g)].map(([, label]) => label)
    expect([where, [...grouped, ...selected].filter((label) => !given.has(label ?? ''))]).toEqual([where, []])
  }
})

test('every alert has a runbook that says what it means, what to look at and what to do, and no runbook is left over', () => {
  for (const alert of ALERTS) {
    const path = join(ROOT, runbookOf(alert))
    expect([path, existsSync(path)]).toEqual([path, true])
    const text = readFileSync(path, 'utf8')
    for (const part of [`# ${alert.name}\n`, '## Look', '## Act'])
      expect([path, text]).toEqual([path, expect.stringContaining(part)])
  }
  const files = readdirSync(join(ROOT, 'docs/operating/runbooks')).filter((name) => name !== 'README.md')
  expect(files.sort()).toEqual(ALERTS.map((alert) => runbookOf(alert).split('/').at(-1)).sort())
})

test('the page about objectives states each of them', () => {
  const page = readFileSync(join(ROOT, 'docs/operating/objectives.md'), 'utf8').replace(/\s+/g, ' ')
  for (const { promise, alert } of OBJECTIVES) {
    expect(page).toContain(promise)
    expect(page).toContain(`\`${alert}\``)
  }
})

test('outcomes that an alert names exist', () => {
  const sources = [
    'monitor.ts',
    'youtube-source.ts',
    'fetch-track.ts',
    'refusals/refusal.ts',
    'refusals/classify-playability.ts',
  ]
  const text = sources.map((name) => readFileSync(join(ROOT, 'packages/youtube/src', name), 'utf8')).join('\n')
  expect(ANSWERS_ABOUT_A_VIDEO.filter((outcome) => !text.includes(`'${outcome}'`))).toEqual([])
})

test('in Kubernetes, other software in the cluster raises none of the alerts and hides none', () => {
  const { spec } = parse(buildPrometheusRule()) as { spec: { groups: { rules: { expr: string }[] }[] } }
  const selectors = spec.groups.flatMap(({ rules }) =>
    rules.flatMap(({ expr }) => expr.match(/\b(?:up|nodejs_\w+|process_\w+|kube_\w+)(?![\w:])(?:\{[^}]*\})?/g) ?? []),
  )
  expect(selectors).toContain('nodejs_eventloop_lag_p99_seconds{namespace="subtext"}')
  expect(selectors).toContain('up{namespace="subtext",job="api"}')
  expect(selectors.filter((selector) => !selector.includes('{namespace="subtext"'))).toEqual([])
})

const describeWithPromtool = promtool ? describe : describe.skip
describeWithPromtool(`the rules${promtool ? '' : ' (need promtool, of the Debian package prometheus)'}`, () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'subtext-rules-'))
    await writeFile(join(folder, 'alerts.yaml'), buildRuleFile())
  })
  afterAll(() => rm(folder, { recursive: true }))

  const run = (...args: string[]) => spawnSync(promtool ?? '', args, { cwd: folder, encoding: 'utf8' })

  test('and the queries of the dashboards are valid', async () => {
    expect(run('check', 'rules', 'alerts.yaml')).toMatchObject({ status: 0 })
    const { spec } = parse(buildPrometheusRule())
    await writeFile(join(folder, 'operator.yaml'), stringify(spec, { lineWidth: 0 }))
    expect(run('check', 'rules', 'operator.yaml')).toMatchObject({ status: 0 })
    const panels = queries.map(([, expr], nth) => ({
      record: `panel_${nth}`,
      expr: expr.replaceAll('$__rate_interval', '5m'),
    }))
    await writeFile(
      join(folder, 'panels.yaml'),
      stringify({ groups: [{ name: 'panels', rules: panels }] }, { lineWidth: 0 }),
    )
    expect(run('check', 'rules', 'panels.yaml')).toMatchObject({ status: 0 })
  })

  const buildCase = ([alert, , input, fires]: (typeof CASES)[number]) => ({
    interval: '1m',
    input_series: [...UP, ...input],
    promql_expr_test: [
      {
        expr: `count(ALERTS{alertname="${alert}",alertstate="firing"}) or vector(0)`,
        eval_time: '8h',
        exp_samples: [{ labels: '{}', value: fires ? 1 : 0 }],
      },
    ],
  })
  /** Writes a file of rules, or of tests of a file of rules. Returns its name. */
  const save = async (name: string, content: string): Promise<string> => {
    await writeFile(join(folder, name), content)
    return name
  }
  const saveTests = (name: string, rules: string, tests: object[]): Promise<string> =>
    // Of a situation of eight hours, evaluating every minute takes half a minute of CPU. Every `for` is at most 15 minutes.
    save(name, stringify({ rule_files: [rules], evaluation_interval: '5m', tests }, { lineWidth: 0 }))
  /** Saves the cases of an alert, with no more rules than it reads: promtool evaluates all of them at every step. */
  const saveCases = async (name: string, cases = CASES.filter(([alert]) => alert === name)): Promise<string> => {
    const alerts = ALERTS.filter((alert) => alert.name === name)
    const read = RECORDING_RULES.filter(({ record }) => alerts.some(({ expr }) => namesIn(expr).includes(record)))
    const rules = await save(`${name}.yaml`, buildRuleFile(alerts, read))
    return saveTests(`${name}.test.yaml`, rules, cases.map(buildCase))
  }
  const runTests = (...files: string[]): string => {
    const { status, stdout, stderr } = run('test', 'rules', ...files)
    return status === 0 ? 'passed' : stdout + stderr
  }

  // In one run, because promtool takes a while to start.
  test('make alerts fire in bad situations, and only then', async () => {
    const names = [...new Set(CASES.map(([name]) => name))]
    expect(runTests(...(await Promise.all(names.map((name) => saveCases(name)))))).toBe('passed')
  })

  test('a situation that is expected to raise an alert and does not fails the run', async () => {
    const [first] = CASES
    if (first) expect(runTests(await saveCases(first[0], [[first[0], first[1], [], true]]))).toContain(first[0])
  })

  test('ProcessMissing: no worker can be scraped', async () => {
    const test = {
      interval: '1m',
      input_series: UP.filter(({ series }) => !series.includes('worker')),
      alert_rule_test: [
        {
          eval_time: '10m',
          alertname: 'ProcessMissing',
          exp_alerts: [
            {
              exp_labels: { severity: 'page', job: 'worker' },
              exp_annotations: {
                summary: 'No process of worker can be scraped',
                runbook: 'docs/operating/runbooks/process-missing.md',
              },
            },
          ],
        },
      ],
    }
    expect(runTests(await saveTests('tests.yaml', 'alerts.yaml', [test]))).toBe('passed')
  })
})
