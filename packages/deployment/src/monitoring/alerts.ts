export interface Alert {
  /** The runbook has the same name, in words. */
  name: string
  /** `page`: someone must act now; `ticket`: someone must act during working hours. */
  severity: 'page' | 'ticket'
  expr: string
  for?: string
  summary: string
}

export interface RecordingRule {
  record: string
  expr: string
}

/** An objective of the service: the share of events that are good. */
export interface Objective {
  /** Part of the names of its recording rules. */
  id: string
  /** The promise in words. */
  promise: string
  target: number
  alert: string
  summary: string
  /** Rates per second over a window, such as `5m`. */
  bad: (window: string) => string
  all: (window: string) => string
}

const SUBMISSIONS = 'subtext_http_request_seconds_count{method="POST",route=~"/api/v1/(videos|batch)/process"'
const WAIT = (suffix: string, labels: string, window: string) =>
  `sum(rate(subtext_job_wait_seconds_${suffix}{lane="high"${labels}}[${window}]))`
const LAG = (suffix: string, labels: string, window: string) =>
  `sum(rate(subtext_webhook_lag_seconds_${suffix}{pace!="slow"${labels}}[${window}]))`

export const OBJECTIVES: Objective[] = [
  {
    id: 'submissions',
    promise: 'Of all submissions, except those with an error of the client, 99.95% are accepted.',
    target: 0.9995,
    alert: 'SubmissionsFail',
    summary: 'Submissions fail, and the error budget of the month is being used up',
    bad: (window) => `(sum(rate(${SUBMISSIONS},status=~"5.."}[${window}])) or vector(0))`,
    all: (window) => `sum(rate(${SUBMISSIONS},status=~"2..|5.."}[${window}]))`,
  },
  {
    id: 'urgent_starts',
    promise: 'Of the jobs with high priority, 99% are started within 10 seconds.',
    target: 0.99,
    alert: 'UrgentJobsStartLate',
    summary: 'Jobs with high priority start late, and the error budget of the month is being used up',
    bad: (window) => `(${WAIT('count', '', window)} - ${WAIT('bucket', ',le="10"', window)})`,
    all: (window) => WAIT('count', '', window),
  },
  {
    id: 'first_attempts',
    promise:
      'Of the webhook deliveries to receivers that are not slow, 99.9% are attempted within 5 seconds of their event.',
    target: 0.999,
    alert: 'WebhooksStartLate',
    summary: 'Webhooks are attempted late, and the error budget of the month is being used up',
    bad: (window) => `(${LAG('count', '', window)} - ${LAG('bucket', ',le="5"', window)})`,
    all: (window) => LAG('count', '', window),
  },
]

/** Of the budget of 30 days, 2% used within an hour, or 5% within six (SRE Workbook, chapter 5). */
const BURN_RATES = [
  { factor: 14.4, long: '1h', short: '5m' },
  { factor: 6, long: '6h', short: '30m' },
]
const WINDOWS = BURN_RATES.flatMap(({ long, short }) => [short, long])
/** A single failure on a quiet night must not page anyone. */
const MIN_FAILURES = 2

const ratioName = ({ id }: Objective, window: string): string => `subtext:${id}:bad_ratio_rate${window}`

export const RECORDING_RULES: RecordingRule[] = OBJECTIVES.flatMap((objective) =>
  WINDOWS.map((window) => ({
    record: ratioName(objective, window),
    expr: `${objective.bad(window)} / (${objective.all(window)} > 0)`,
  })),
)

function burns(objective: Objective): string {
  const budget = 1 - objective.target
  return BURN_RATES.map(({ factor, long, short }) => {
    const limit = Number((factor * budget).toPrecision(6))
    const isSpent = [long, short].map((window) => `${ratioName(objective, window)} > ${limit}`)
    const seconds = long === '1h' ? 3_600 : 21_600
    return `(${isSpent.join(' and ')} and ${objective.bad(long)} * ${seconds} > ${MIN_FAILURES})`
  }).join(' or ')
}

/**
 * Outcomes of an attempt in which the platform answered about the video itself. `unplayable` is not among them: that is also
 * how it turns away an app.
 */
export const ANSWERS_ABOUT_A_VIDEO = [
  ...['answered', 'no_captions', 'nothing_spoken', 'unreadable_captions', 'not_yet_captioned'],
  ...['upcoming', 'live', 'live_offline', 'private', 'removed', 'error', 'age', 'members', 'payment', 'country'],
]

export const ALERTS: Alert[] = [
  ...OBJECTIVES.map((objective): Alert => {
    return { name: objective.alert, severity: 'page', expr: burns(objective), summary: objective.summary }
  }),
  {
    name: 'JobsWait',
    severity: 'ticket',
    expr: 'max(subtext_jobs_oldest_waiting_seconds) > 300',
    for: '10m',
    summary: 'Jobs wait for more than five minutes',
  },
  {
    name: 'WebhooksWait',
    severity: 'page',
    expr: 'max(subtext_webhooks_oldest_due_seconds) > 60',
    for: '5m',
    summary: 'Deliveries that are due are not attempted',
  },
  {
    name: 'ChecksWait',
    severity: 'ticket',
    expr: 'max(subtext_source_checks_oldest_due_seconds) > 900',
    for: '15m',
    summary: 'Sources of subscriptions are not looked at',
  },
  {
    name: 'ProcessMissing',
    severity: 'page',
    expr: [
      ...['api', 'worker', 'webhooks'].map(
        (job) => `label_replace(absent(up{job="${job}"} == 1), "job", "${job}", "", "")`,
      ),
      // Optional processes, which not every installation has.
      'max by (job) (max_over_time(up{job=~"mcp|worker-high"}[1d])) == 1 unless on (job) (up == 1)',
    ].join(' or '),
    for: '2m',
    summary: 'No process of {{ $labels.job }} can be scraped',
  },
  {
    name: 'DependencyDown',
    severity: 'page',
    expr: 'max by (job, dependency) (subtext_dependency_up) == 0',
    for: '2m',
    summary: 'No process of {{ $labels.job }} reaches {{ $labels.dependency }}',
  },
  {
    name: 'PlatformRefuses',
    severity: 'page',
    expr: `sum(rate(subtext_platform_attempts_total{outcome!~"${ANSWERS_ABOUT_A_VIDEO.join('|')}"}[10m])) / sum(rate(subtext_platform_attempts_total[10m])) > 0.5 and sum(increase(subtext_platform_attempts_total[10m])) > 20`,
    for: '10m',
    summary: 'The video platform turns away more than half of the requests',
  },
  {
    name: 'PlatformChanged',
    severity: 'ticket',
    expr: 'sum(increase(subtext_platform_unknown_states_total[1h])) + sum(increase(subtext_platform_missing_states_total[1h])) > 5',
    summary: 'The video platform responds in a form that no rule knows',
  },
  {
    name: 'ModelNeedsAction',
    severity: 'page',
    expr: 'sum by (outcome) (increase(subtext_model_calls_total{outcome=~"unauthorized|billing|not_found"}[10m])) > 0',
    summary: 'The key, the credit or the name of the language model is wrong ({{ $labels.outcome }})',
  },
  {
    name: 'ModelSpend',
    severity: 'ticket',
    expr: 'sum(increase(subtext_model_cost_usd_total[1h])) > 3 * sum(increase(subtext_model_cost_usd_total[1h] offset 1d)) and sum(increase(subtext_model_cost_usd_total[1h])) > 5',
    for: '15m',
    summary: 'The language model costs three times as much per hour as it did a day ago',
  },
  {
    name: 'DailySpendLimitReached',
    severity: 'ticket',
    expr: 'sum(increase(subtext_spending_refused_total{limit="day"}[1h])) > 0',
    summary: 'Calls of the language model are not made, because they would not fit into DAILY_SPEND_LIMIT_USD',
  },
  {
    name: 'EmailsFail',
    severity: 'page',
    expr: 'sum(increase(subtext_emails_total{outcome="postponed"}[15m])) > 3 unless sum(increase(subtext_emails_total{outcome="sent"}[15m])) > 0',
    for: '5m',
    summary: 'The mail server accepts no email, so nobody gets a link to sign up or sign in',
  },
  {
    name: 'ConnectionsExhausted',
    severity: 'ticket',
    expr: 'max by (job) (subtext_db_pool_waiting) > 0 and max by (job) (histogram_quantile(0.95, sum by (job, le) (rate(subtext_db_pool_wait_seconds_bucket[5m])))) > 0.25',
    for: '10m',
    summary: 'Processes of {{ $labels.job }} wait for connections to PostgreSQL',
  },
  {
    name: 'EventLoopBlocked',
    severity: 'ticket',
    expr: 'max by (job) (nodejs_eventloop_lag_p99_seconds) > 0.5',
    for: '15m',
    summary: 'The event loop of a {{ $labels.job }} process is blocked for half a second at a time',
  },
  {
    name: 'ScheduledJobMissing',
    severity: 'ticket',
    // A job that has never succeeded has no time of a success.
    expr: 'time() - (max by (cronjob) (kube_cronjob_status_last_successful_time{namespace="subtext"}) or max by (cronjob) (kube_cronjob_created{namespace="subtext"})) > 108000',
    summary: 'The job {{ $labels.cronjob }} has not succeeded for more than a day',
  },
]
