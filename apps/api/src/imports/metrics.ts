import { CaptionsProblem } from '@subtext/contracts'
import type { Metrics } from '@subtext/runtime'

/** Creates the metrics of imports. */
export function createImportMetrics(metrics: Metrics) {
  const accepted = metrics.counter('subtext_imports_accepted_total', 'Imported captions accepted as jobs.', {})
  const refused = metrics.counter(
    'subtext_imports_refused_total',
    'Imported captions that cannot be read, by reason.',
    {
      reason: CaptionsProblem.options,
    },
  )
  return {
    countAccepted: () => accepted({}),
    countRefused: (reason: CaptionsProblem) => refused({ reason }),
  }
}
export type ImportMetrics = ReturnType<typeof createImportMetrics>
