import type { Metrics } from '@subtext/runtime'
import { CLIENT_NAMES, type ClientName } from './clients.ts'
import type { Refusal } from './refusals/refusal.ts'

export type PlatformLog = (message: string, fields: Record<string, unknown>) => void

export interface EgressState {
  egress: string
  isResting: boolean
}

/** Receives numbers for the metrics. Labels have few values: no address, no video. */
export interface PlatformMonitor {
  /** Called once, with a function that returns the current state of every egress. */
  opened(readEgresses: () => EgressState[]): void
  /** Counts an attempt through an egress; `outcome` is `answered` or the cause of the refusal. */
  countAttempt(labels: { egress: string; client: ClientName; outcome: string }, seconds: number): void
  countEgressChange(labels: { egress: string; state: 'resting' | 'recovered' }): void
  /** Counts a playability status that no rule knows. */
  countUnknownState(labels: { client: ClientName }): void
  /** Counts a player response without a playability status. */
  countMissingState(labels: { client: ClientName }): void
}

/** Creates a monitor whose numbers are metrics. Their label `egress` is the name of an egress. */
export const createPlatformMetrics = (metrics: Metrics): PlatformMonitor => {
  const egress = 'name of the egress, `direct` or `proxy_1`, `proxy_2`, ... by the order of `PROXY_URLS`'
  const client = CLIENT_NAMES
  const attempts = metrics.counter(
    'subtext_platform_attempts_total',
    'Requests for a video or its captions, as one app through one egress.',
    { egress, client, outcome: '`answered`, or the cause of the refusal' },
  )
  const seconds = metrics.duration('subtext_platform_attempt_seconds', 'Duration of these attempts.', { client })
  const changes = metrics.counter(
    'subtext_platform_egress_changes_total',
    'Egresses that started to rest because the platform turned them away, and that recovered.',
    { egress, state: ['resting', 'recovered'] },
  )
  const resting = metrics.gauge(
    'subtext_platform_egress_resting',
    'Whether this process lets an egress rest: 1 or 0.',
    {
      egress,
    },
  )
  const unknown = metrics.counter(
    'subtext_platform_unknown_states_total',
    'Responses with a playability status that no rule knows.',
    { client },
  )
  const missing = metrics.counter(
    'subtext_platform_missing_states_total',
    'Responses without a playability status: the platform changed its format, or something on the way answered.',
    { client },
  )
  return {
    opened(readEgresses) {
      resting(async () => readEgresses().map(({ egress, isResting }) => [{ egress }, isResting ? 1 : 0]))
      for (const { egress } of readEgresses()) {
        changes({ egress, state: 'resting' }, 0)
        changes({ egress, state: 'recovered' }, 0)
      }
    },
    countAttempt({ egress, client, outcome }, duration) {
      attempts({ egress, client, outcome })
      seconds({ client }, duration)
    },
    countEgressChange: ({ egress, state }) => changes({ egress, state }),
    countUnknownState: (labels) => unknown(labels),
    countMissingState: (labels) => missing(labels),
  }
}

const ignore = () => undefined

export const SILENT_MONITOR: PlatformMonitor = {
  opened: ignore,
  countAttempt: ignore,
  countEgressChange: ignore,
  countUnknownState: ignore,
  countMissingState: ignore,
}

export const outcomeOf = (refusal: Refusal | null): string => refusal?.cause ?? 'answered'
