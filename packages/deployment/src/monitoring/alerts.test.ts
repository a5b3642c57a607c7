import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { ROOT } from '../paths.ts'
import { ALERTS, OBJECTIVES, RECORDING_RULES } from './alerts.ts'
import { listMetrics, PROCESS_METRICS } from './catalogue.ts'
import { DASHBOARDS } from './dashboards.ts'
import { findPromtool } from './promtool.ts'
import { buildRuleFile, runbookOf } from './rule-files.ts'

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

  const UP = ['api', 'worker', 'webhooks'].map((job) => ({ series: `up{job="${job}"}`, values: '1x480' }))
  const MCP = (instance: string, values: string) => ({ series: `up{job="mcp",instance="${instance}"}`, values })
  const REQUESTS = (status: number, values: string) => ({
    series: `subtext_http_request_seconds_count{method="POST",route="/api/v1/videos/process",status="${status}"}`,
    values,
  })
  const waits = (late: number) => [
    { series: 'subtext_job_wait_seconds_count{lane="high"}', values: '0+100x480' },
    { series: 'subtext_job_wait_seconds_bucket{lane="high",le="10"}', values: `0+${100 - late}x480` },
  ]
  const lags = (pace: string, late: number) => [
    { series: `subtext_webhook_lag_seconds_count{pace="${pace}"}`, values: '0+1000x480' },
    { series: `subtext_webhook_lag_seconds_bucket{pace="${pace}",le="5"}`, values: `0+${1_000 - late}x480` },
  ]

  const CASES: [alert: string, situation: string, input: { series: string; values: string }[], fires: boolean][] = [
    [
      'SubmissionsFail',
      'one in a hundred submissions fails',
      [REQUESTS(202, '0+99x480'), REQUESTS(503, '0+1x480')],
      true,
    ],
    ['SubmissionsFail', 'clients make mistakes', [REQUESTS(202, '0+99x480'), REQUESTS(400, '0+50x480')], false],
    [
      'SubmissionsFail',
      'a single submission failed on a quiet night',
      [REQUESTS(202, '0+0x470 1+0x10'), REQUESTS(503, '0+0x470 1+0x10')],
      false,
    ],
    ['UrgentJobsStartLate', 'a fifth of the urgent jobs start late', waits(20), true],
    ['UrgentJobsStartLate', 'one in two hundred starts late', waits(0.5), false],
    ['WebhooksStartLate', 'two per cent of the first attempts are late', lags('quick', 20), true],
    ['WebhooksStartLate', 'slow receivers get theirs late', [...lags('quick', 0), ...lags('slow', 900)], false],
    [
      'JobsWait',
      'the oldest job has waited for ten minutes',
      [{ series: 'subtext_jobs_oldest_waiting_seconds{lane="normal"}', values: '600x480' }],
      true,
    ],
    [
      'WebhooksWait',
      'a delivery has been due for two minutes',
      [{ series: 'subtext_webhooks_oldest_due_seconds', values: '120x480' }],
      true,
    ],
    [
      'PlatformRefuses',
      'most attempts are refused',
      [
        { series: 'subtext_platform_attempts_total{outcome="answered"}', values: '0+2x480' },
        { series: 'subtext_platform_attempts_total{outcome="bot_check"}', values: '0+8x480' },
      ],
      true,
    ],
    [
      'PlatformRefuses',
      'a few attempts are refused',
      [
        { series: 'subtext_platform_attempts_total{outcome="answered"}', values: '0+8x480' },
        { series: 'subtext_platform_attempts_total{outcome="bot_check"}', values: '0+2x480' },
      ],
      false,
    ],
    [
      'PlatformChanged',
      'responses have no status',
      [
        { series: 'subtext_platform_missing_states_total', values: '0+1x480' },
        { series: 'subtext_platform_unknown_states_total', values: '0x480' },
      ],
      true,
    ],
    [
      'ModelNeedsAction',
      'the credit is used up',
      [{ series: 'subtext_model_calls_total{model="m",outcome="billing"}', values: '0+1x480' }],
      true,
    ],
    [
      'ModelSpend',
      'the hour costs ten dollars, and nothing is known of the day before',
      [{ series: 'subtext_model_cost_usd_total', values: '0+0.2x480' }],
      false,
    ],
    [
      'EmailsFail',
      'the mail server refuses the password',
      [
        { series: 'subtext_emails_total{outcome="postponed"}', values: '0+1x480' },
        { series: 'subtext_emails_total{outcome="sent"}', values: '5x480' },
      ],
      true,
    ],
    [
      'EmailsFail',
      'one mailbox is full, and others get their emails',
      [
        { series: 'subtext_emails_total{outcome="postponed"}', values: '0+1x480' },
        { series: 'subtext_emails_total{outcome="sent"}', values: '0+1x480' },
      ],
      false,
    ],
    ['ProcessMissing', 'there has never been an MCP server', [], false],
    ['ProcessMissing', 'one of two MCP servers is missing', [MCP('a', '1x480'), MCP('b', '1x100 0x380')], false],
    ['ProcessMissing', 'the MCP server is missing', [MCP('a', '1x100 0x380')], true],
    [
      'DependencyDown',
      'no worker reaches Redis',
      [
        { series: 'subtext_dependency_up{job="worker",dependency="redis",instance="a"}', values: '0x480' },
        { series: 'subtext_dependency_up{job="worker",dependency="redis",instance="b"}', values: '0x480' },
      ],
      true,
    ],
    [
      'DependencyDown',
      'one of two workers does not reach Redis',
      [
        { series: 'subtext_dependency_up{job="worker",dependency="redis",instance="a"}', values: '0x480' },
        { series: 'subtext_dependency_up{job="worker",dependency="redis",instance="b"}', values: '1x480' },
      ],
      false,
    ],
    [
      'EventLoopBlocked',
      'an event loop is blocked',
      [{ series: 'nodejs_eventloop_lag_p99_seconds{job="api"}', values: '0.9x480' }],
      true,
    ],
    [
      'ScheduledJobMissing',
      'the purge succeeds every hour',
      [{ series: 'kube_cronjob_status_last_successful_time{namespace="subtext",cronjob="purge"}', values: '0+60x480' }],
      false,
    ],
  ]
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
