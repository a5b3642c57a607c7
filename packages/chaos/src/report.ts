import type { CoreApp } from '@subtext/standalone'
import { FAULT_KINDS } from './faults.ts'
import type { ChaosReport, Kill } from './run.ts'

const NAME_WIDTH = 30
const SHOWN_ROWS = 5

const share = (part: number, whole: number): string => (whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)}%`)
const line = (name: string, text: string): string => `${name.padEnd(NAME_WIDTH)}${text}`

/** Counts the kills that interrupted work: for an API, a request that it had not answered yet. */
const countHits = ({ kills, interrupted }: ChaosReport, app: CoreApp): [hit: number, all: number] => {
  const own = kills.filter((kill) => kill.app === app)
  const isHit = (kill: Kill): boolean => (app === 'api' ? kill.openRequests > 0 : interrupted.has(kill.processName))
  return [own.filter(isHit).length, own.length]
}

export function formatReport(report: ChaosReport): string {
  const { options, applied, load, secondWriter, settled, webhooks, spending, peaks } = report
  const { submissions, apiClient } = load
  const of = (state: string): number => submissions.filter((submission) => submission.state === state).length
  const jobs = submissions.reduce((sum, { state, jobIds }) => sum + (state === 'accepted' ? jobIds.length : 0), 0)
  const batches = submissions.filter(({ state, path }) => state === 'accepted' && path === '/batch/process').length
  const retried = submissions.filter(({ attempts }) => attempts > 1).length
  const faults = FAULT_KINDS.map((kind) => {
    const own = applied.filter((one) => one.kind === kind)
    const paid = own.reduce((sum, one) => sum + spending.causes.filter((cause) => cause === one).length, 0)
    return line(kind.name, `${String(own.length).padStart(5)}${kind.disturbsWork ? String(paid).padStart(12) : ''}`)
  })
  const hits = (['api', 'worker', 'webhooks'] as const).map((app) => {
    const [hit, all] = countHits(report, app)
    return line(`${app} kills during work`, `${hit} of ${all} (${share(hit, all)})`)
  })
  const replies = [...apiClient.replies].map(([reply, count]) => `${reply}: ${count}`).join(', ')
  return [
    `seed ${options.seed}, ${options.rounds} rounds, ${report.seconds.toFixed(0)} s`,
    '',
    line('fault', 'times  paid again'),
    ...faults,
    '',
    ...hits,
    '',
    line('submissions', `${submissions.length}, of which ${retried} were retried; responses: ${replies}`),
    line('accepted', `${of('accepted')}, including ${batches} batches; ${jobs} jobs in all`),
    line('followed', `${load.published.length} videos of a channel, by two accounts`),
    line('refused', `${of('refused')}`),
    line('sent once, unanswered', `${of('unanswered')}`),
    line('still without a reply', `${of('open')}`),
    line('events', `${webhooks.events}, received ${webhooks.received} times; ${webhooks.repeated} more than once`),
    line('paid calls', `${spending.calls} for ${spending.summaries} summaries`),
    line('paid again', `${spending.repeatedCalls} (${share(spending.repeatedCalls, spending.summaries)})`),
    line('captions', `fetched ${spending.captionFetches} times, of which ${spending.repeatedFetches} were repeated`),
    line('second writer', `refused ${secondWriter.refused()} rows, accepted ${secondWriter.accepted()}`),
    line('peak concurrency', `${peaks.account} jobs of one account, ${peaks.receiver} deliveries to one receiver`),
    line('machine too busy', `${report.starvedSeconds.toFixed(1)} s`),
    line('after the last fault', `finished in ${settled.seconds.toFixed(1)} s`),
    ...formatViolations(report),
  ].join('\n')
}

function formatViolations({ violations, logPath, options }: ChaosReport): string[] {
  const found = Object.entries(violations)
  if (found.length === 0) return ['', 'Every promise was kept.']
  return [
    '',
    options.control ? 'BROKEN:' : `BROKEN (log of the apps: ${logPath}):`,
    ...found.flatMap(([promise, rows]) => [
      `  ${promise}: ${rows.length}`,
      ...rows.slice(0, SHOWN_ROWS).map((row) => `    ${JSON.stringify(row)}`),
    ]),
  ]
}
