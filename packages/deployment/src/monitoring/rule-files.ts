import { stringify } from 'yaml'
import { ALERTS, type Alert, RECORDING_RULES, type RecordingRule } from './alerts.ts'

const NOTICE = '# Written by `npm run generate` from packages/deployment/src/monitoring/alerts.ts. Do not edit.\n'
const RUNBOOKS = 'docs/operating/runbooks'

/** Returns the path of an alert's runbook: `JobsWait` has `jobs-wait.md`. */
export const runbookOf = ({ name }: Pick<Alert, 'name'>): string =>
  `${RUNBOOKS}/${name.replace(/(?!^)([A-Z])/g, '-$1').toLowerCase()}.md`

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
    spec: { groups: groupRules(ALERTS, RECORDING_RULES) },
  })
