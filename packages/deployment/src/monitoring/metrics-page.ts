import { type CataloguedMetric, listMetrics } from './catalogue.ts'

/** The sections of the page, by the beginnings of the names of their metrics. The first that fits counts. */
const SECTIONS: [heading: string, introduction: string, prefixes: string[]][] = [
  [
    'The whole service',
    'Read from the database by every API process, at most every five seconds. All of them report the same numbers, so take the `max`, not the `sum`.',
    [
      'jobs',
      'jobs_oldest_waiting_seconds',
      'webhooks_pending',
      'webhooks_oldest_due_seconds',
      'source_checks_due',
      'source_checks_oldest_due_seconds',
    ],
  ],
  [
    'Requests',
    '',
    ['http_*', 'request_limit_*', 'jobs_accepted_total', 'jobs_derived_total', 'estimates_*', 'imports_*', 'mcp_*'],
  ],
  ['Accounts', '', ['sign_ins_total', 'emails_*']],
  ['Chat', '', ['chat_*']],
  ['Library', '', ['library_*', 'digest_*']],
  ['Jobs and workers', '', ['job_*', 'jobs_woken_total', 'worker_*', 'infographics_*', 'extractions_*']],
  ['Video platform', '', ['platform_*', 'source_*', 'subscription_*']],
  ['Language model', '', ['model_*', 'spending_*']],
  ['Webhooks', '', ['webhook_*']],
  ['Documents', '', ['render_*', 'renders_in_progress', 'result_exports_total']],
  [
    'Process, PostgreSQL, Redis and files',
    '',
    ['build_info', 'dependency_up', 'db_*', 'notifications_*', 'blob_*', 'trace_*'],
  ],
]
const PREFIX = 'subtext_'

const HEADER = `# Metrics

<!-- Written by \`npm run generate\` from the definitions of the metrics. Do not edit. -->

Set \`METRICS_PORT\` to serve Prometheus metrics at \`/metrics\`, and the [health checks](installing.md#health-checks). With
\`npm start\`, \`METRICS_PORT=9464\` is the port of the API; the worker, the webhook sender and the MCP server use the next three.

Names and units follow the conventions of Prometheus: durations are in seconds, names that end in \`_total\` are counters, and
histograms come as \`_bucket\`, \`_sum\` and \`_count\`. Counters whose labels have few values start at zero. No label holds a
key, an ID, an address or anything else that callers choose, and no metric has more than a thousand series in a process:
further ones become \`other\`.

Every process also has the metrics of Node.js, such as \`process_cpu_seconds_total\`, \`process_resident_memory_bytes\` and
\`nodejs_eventloop_lag_p99_seconds\`, the delay of its event loop. The canary has metrics of [its own](captions.md#canary).
`

const fits = (name: string, prefix: string): boolean =>
  prefix.endsWith('*') ? name.startsWith(prefix.slice(0, -1)) : name === prefix

/** Returns the section of a metric. Throws if it has none. */
function sectionOf({ name }: CataloguedMetric): string {
  const section = SECTIONS.find(([, , prefixes]) => prefixes.some((prefix) => fits(name.slice(PREFIX.length), prefix)))
  if (!section || !name.startsWith(PREFIX)) throw new Error(`${name} belongs to no section of metrics-page.ts.`)
  return section[0]
}

const describeLabels = ({ labels }: CataloguedMetric): string =>
  Object.entries(labels)
    .map(([name, values]) => {
      const described = typeof values === 'string' ? values : values.map((value) => `\`${value}\``).join(', ')
      return `\`${name}\`: ${described}`
    })
    .join('<br>')

const writeRow = (cells: string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`

const writeTable = (metrics: CataloguedMetric[]): string =>
  [
    writeRow(['metric', 'apps', 'labels', 'meaning']),
    '|---|---|---|---|',
    ...metrics.map((metric) =>
      writeRow([
        `\`${metric.name}\`${metric.type === 'histogram' ? '<br>histogram' : ''}`,
        metric.apps.join(', '),
        describeLabels(metric),
        metric.help,
      ]),
    ),
  ].join('\n')

/** Returns the text of `docs/operating/metrics.md`. */
export function buildMetricsPage(): string {
  const metrics = listMetrics().map((metric) => ({ ...metric, section: sectionOf(metric) }))
  const sections = SECTIONS.map(([heading, introduction]) => {
    const table = writeTable(metrics.filter(({ section }) => section === heading))
    return [`## ${heading}`, introduction, table].filter(Boolean).join('\n\n')
  })
  return `${[HEADER.trimEnd(), ...sections].join('\n\n')}\n`
}
