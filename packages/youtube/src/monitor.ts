import type { Refusal } from './refusal.ts'

/** Numbers for whoever runs the service. Labels come from small sets: no address, no video. */
export interface PlatformMonitor {
  /** An attempt over a way out; `outcome` is `answered` or why not. */
  countAttempt(labels: { exit: string; client: string; outcome: string }): void
  countExitChange(labels: { exit: string; state: string }): void
  /** A playability state that no rule knows. */
  countUnknownState(labels: { client: string }): void
}

type Counter = <L extends string>(
  name: string,
  help: string,
  labels: readonly L[],
) => (labels: Record<L, string>) => void

export const createPlatformMonitor = (counter: Counter): PlatformMonitor => ({
  countAttempt: counter('subtext_platform_attempts_total', 'Attempts at the video platform, by what became of them.', [
    'exit',
    'client',
    'outcome',
  ]),
  countExitChange: counter(
    'subtext_platform_exit_changes_total',
    'Ways out to the video platform that were put to rest or recovered.',
    ['exit', 'state'],
  ),
  countUnknownState: counter('subtext_platform_unknown_states_total', 'Playability states that no rule knows.', [
    'client',
  ]),
})

const SILENT = () => undefined

export const SILENT_MONITOR: PlatformMonitor = {
  countAttempt: SILENT,
  countExitChange: SILENT,
  countUnknownState: SILENT,
}

export const outcomeOf = (refusal: Refusal | null): string => refusal?.why ?? 'answered'
