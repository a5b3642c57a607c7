import { buildMetricsPage } from './metrics-page.ts'

/** The generated files, by their paths. `npm run monitoring -w @subtext/deployment` writes them. */
export const GENERATED: Record<string, () => string> = {
  'docs/operating/metrics.md': buildMetricsPage,
}
