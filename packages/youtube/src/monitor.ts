import type { Refusal } from './refusals/refusal.ts'

export type PlatformLog = (message: string, fields: Record<string, unknown>) => void

/** Receives numbers for the metrics. Labels have few values: no address, no video. */
export interface PlatformMonitor {
  /** Counts an attempt through an egress; `outcome` is `answered` or the cause of the refusal. */
  countAttempt(labels: { egress: string; client: string; outcome: string }): void
  countEgressChange(labels: { egress: string; state: string }): void
  /** Counts a playability status that no rule knows. */
  countUnknownState(labels: { client: string }): void
  /** Counts a player response without a playability status. */
  countMissingState(labels: { client: string }): void
}

type CreateCounter = <L extends string>(
  name: string,
  help: string,
  labels: readonly L[],
) => (labels: Record<L, string>) => void

/** Creates a monitor whose counters are metrics. Their label `exit` is the name of an egress. */
export const createPlatformMonitor = (createCounter: CreateCounter): PlatformMonitor => {
  const attempts = createCounter('subtext_platform_attempts_total', 'Attempts at the video platform, by outcome.', [
    'exit',
    'client',
    'outcome',
  ])
  const egressChanges = createCounter(
    'subtext_platform_exit_changes_total',
    'Egresses to the video platform that started to rest or recovered.',
    ['exit', 'state'],
  )
  return {
    countAttempt: ({ egress, client, outcome }) => attempts({ exit: egress, client, outcome }),
    countEgressChange: ({ egress, state }) => egressChanges({ exit: egress, state }),
    countUnknownState: createCounter(
      'subtext_platform_unknown_states_total',
      'Playability statuses that no rule knows.',
      ['client'],
    ),
    countMissingState: createCounter(
      'subtext_platform_missing_states_total',
      'Player responses without a playability status: the platform changed its format, or something on the way answered.',
      ['client'],
    ),
  }
}

const ignore = () => undefined

export const SILENT_MONITOR: PlatformMonitor = {
  countAttempt: ignore,
  countEgressChange: ignore,
  countUnknownState: ignore,
  countMissingState: ignore,
}

export const outcomeOf = (refusal: Refusal | null): string => refusal?.cause ?? 'answered'
