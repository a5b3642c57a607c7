import { createMetrics } from '@subtext/runtime'
import type { CanaryReport, ClientReport, Probe } from './run-canary.ts'

const describeProbe = ({ egress, client, works, milliseconds, tracks, lines, code, why }: Probe): string => {
  const outcome = works ? `${tracks} tracks, ${lines} lines` : `${code} (${why ?? 'no response'})`
  const label = works ? 'works ' : 'FAILS '
  return `${egress.padEnd(10)}${client.padEnd(14)}${label} ${String(milliseconds).padStart(6)} ms  ${outcome}`
}

const describeDays = (days: number): string => (days === 1 ? '1 day' : `${days} days`)

const describeClient = ({ client, version, last_worked, age_days, working_egresses }: ClientReport): string => {
  const name = version === null ? client : `${client}@${version}`
  const egresses = working_egresses.length > 0 ? `works through ${working_egresses.join(', ')}` : 'works nowhere'
  const age = age_days === null ? '' : `; last known to work ${describeDays(age_days)} ago, on ${last_worked}`
  return `${name.padEnd(24)}${egresses}${age}`
}

const isSample = (probes: Probe[]): boolean => probes.some(({ egress }) => egress === 'sample')

/** Describes a report to people: one line for each probe and for each app, then what they mean together. */
export const describeCanary = ({ video_id, works, alarms, warnings, clients, probes }: CanaryReport): string => {
  const conclusion = works
    ? 'Captions are available through every egress.'
    : 'Through at least one egress, no app gets captions.'
  return [
    `Video ${video_id}${isSample(probes) ? ', from the sample platform. The video platform was not asked.' : ''}`,
    ...probes.map(describeProbe),
    '',
    ...clients.map(describeClient),
    '',
    ...alarms.map((alarm) => `ALARM: ${alarm}`),
    ...warnings.map((warning) => `Warning: ${warning}`),
    conclusion,
  ].join('\n')
}

/** Returns a report as Prometheus text, for a collector that reads files or accepts pushes. */
export const renderCanaryMetrics = ({ checked_at, clients, probes }: CanaryReport): Promise<string> => {
  const { gauge, render } = createMetrics()
  const egress = 'name of the egress'
  const client = 'name of the app'
  const ofProbes = (name: string, help: string, read: (probe: Probe) => boolean): void =>
    gauge(name, help, { egress, client })(async () =>
      probes.map((one) => [{ egress: one.egress, client: one.client }, Number(read(one))]),
    )
  ofProbes('subtext_canary_works', 'Whether the app gets captions through the egress.', ({ works }) => works)
  ofProbes(
    'subtext_canary_unknown_format',
    'Whether a response had no playability status, or one that no rule knows.',
    ({ unknown_format }) => unknown_format,
  )
  gauge('subtext_canary_version_age_days', 'Days since the version of the app was last known to work.', { client })(
    async () => clients.flatMap(({ client, age_days }) => (age_days === null ? [] : [[{ client }, age_days]])),
  )
  gauge(
    'subtext_canary_checked_timestamp_seconds',
    'When the canary ran.',
    {},
  )(async () => [[{}, Date.parse(checked_at) / 1000]])
  return render()
}
