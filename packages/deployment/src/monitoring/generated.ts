import { buildDashboard } from './build-dashboard.ts'
import { DASHBOARDS } from './dashboards.ts'
import { buildMetricsPage } from './metrics-page.ts'
import { buildPrometheusRule, buildRuleFile } from './rule-files.ts'

/** The generated files, by their paths. `npm run generate` writes them. */
export const GENERATED: Record<string, () => string> = {
  'docs/operating/metrics.md': buildMetricsPage,
  'docker/alerts.yaml': () => buildRuleFile(),
  'k8s/components/monitoring/rules.yaml': () => buildPrometheusRule(),
  ...Object.fromEntries(
    DASHBOARDS.map((dashboard) => [
      `k8s/components/monitoring/dashboards/${dashboard.uid}.json`,
      () => buildDashboard(dashboard),
    ]),
  ),
}
