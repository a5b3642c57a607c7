import { stringify } from 'yaml'
import { ALERTS, type Alert, RECORDING_RULES } from './alerts.ts'

const NOTICE =
  '# Written by `npm run monitoring -w @subtext/deployment` from packages/deployment/src/monitoring/alerts.ts. Do not edit.\n'
const RUNBOOKS = 'docs/operating/runbooks'

/** Returns the path of an alert's runbook: `JobsWait` has `jobs-wait.md`. */
export const runbookOf = ({ name }: Pick<Alert, 'name'>): string =>
  `${RUNBOOKS}/${name.replace(/(?!^)([A-Z])/g, '-$1').toLowerCase()}.md`

const GROUPS = [
  { name: 'subtext-objectives', rules: RECORDING_RULES },
  {
    name: 'subtext-alerts',
    rules: ALERTS.map((alert) => ({
      alert: alert.name,
      expr: alert.expr,
      ...(alert.for && { for: alert.for }),
      labels: { severity: alert.severity },
      annotations: { summary: alert.summary, runbook: runbookOf(alert) },
    })),
  },
]

const write = (content: object): string => `${NOTICE}${stringify(content, { lineWidth: 0 })}`

/** Returns the rules as a file of Prometheus. */
export const buildRuleFile = (): string => write({ groups: GROUPS })

/** Returns the rules for the Prometheus operator. */
export const buildPrometheusRule = (): string =>
  write({
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'subtext' },
    spec: { groups: GROUPS },
  })
