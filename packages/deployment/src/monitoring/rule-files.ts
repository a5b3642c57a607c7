import { stringify } from 'yaml'
import { ALERTS, type Alert, RECORDING_RULES, type RecordingRule } from './alerts.ts'

const NOTICE = '# Written by `npm run generate` from packages/deployment/src/monitoring/alerts.ts. Do not edit.\n'
const RUNBOOKS = 'docs/operating/runbooks'

/** Returns the path of an alert's runbook: `JobsWait` has `jobs-wait.md`. */
export const runbookOf = ({ name }: Pick<Alert, 'name'>): string =>
  `${RUNBOOKS}/${name.replace(/(?!^)([A-Z])/g, '-$1').toLowerCase()}.md`

/** Of processes of other software, too, which may use the same names of jobs. */
const COMMON_METRIC = /\b(up|(?:nodejs|process)_\w+)(?![\w:])(\{)?/g
/** The namespace of the manifests, which the chart replaces by its own. */
const NAMESPACE = 'namespace="subtext"'

/** Limits an expression to the processes of one namespace, as far as its metrics are not ours alone. */
const inNamespace = (expr: string): string =>
  expr.replaceAll(COMMON_METRIC, (_, name: string, brace) => `${name}{${NAMESPACE}${brace === undefined ? '}' : ','}`)

const groupRules = (alerts: Alert[], recordingRules: RecordingRule[]) => [
  { name: 'subtext-objectives', rules: recordingRules },
  {
    name: 'subtext-alerts',
    rules: alerts.map((alert) => ({
      alert: alert.name,
      expr: alert.expr,
      ...(alert.for && { for: alert.for }),
      labels: { severity: alert.severity },
      annotations: { summary: alert.summary, runbook: runbookOf(alert) },
    })),
  },
]

const write = (content: object): string => `${NOTICE}${stringify(content, { lineWidth: 0 })}`

/** Returns rules, by default all, as a file of Prometheus. */
export const buildRuleFile = (alerts = ALERTS, recordingRules = RECORDING_RULES): string =>
  write({ groups: groupRules(alerts, recordingRules) })

/** Returns the rules for the Prometheus operator. */
export const buildPrometheusRule = (): string =>
  write({
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'subtext' },
    spec: {
      groups: groupRules(
        ALERTS.map((alert) => ({ ...alert, expr: inNamespace(alert.expr) })),
        RECORDING_RULES,
      ),
    },
  })
