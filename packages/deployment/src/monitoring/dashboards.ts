import type { Dashboard } from './build-dashboard.ts'

const RATE = '[$__rate_interval]'
const rate = (metric: string, by = ''): string => `sum${by && ` by (${by})`} (rate(${metric}${RATE}))`
const perMinute = (metric: string, by: string): string => `60 * ${rate(metric, by)}`
const quantile = (share: number, metric: string, by = ''): string =>
  `histogram_quantile(${share}, ${rate(`${metric}_bucket`, by ? `le, ${by}` : 'le')})`
const ratio = (objective: string): string => `1 - subtext:${objective}:bad_ratio_rate1h`

const OVERVIEW: Dashboard = {
  uid: 'subtext-overview',
  title: 'Subtext: overview',
  panels: [
    {
      title: 'Objectives, last hour',
      unit: 'percentunit',
      queries: {
        'submissions accepted': ratio('submissions'),
        'urgent jobs started in time': ratio('urgent_starts'),
        'webhooks attempted in time': ratio('first_attempts'),
      },
    },
    {
      title: 'Requests by status',
      unit: 'reqps',
      stacked: true,
      queries: { '{{status}}': rate('subtext_http_request_seconds_count', 'status') },
    },
    {
      title: 'Request duration, 95th percentile',
      unit: 's',
      queries: { '{{route}}': quantile(0.95, 'subtext_http_request_seconds', 'route') },
    },
    {
      title: 'Jobs accepted per minute',
      unit: 'short',
      stacked: true,
      queries: { '{{lane}}': perMinute('subtext_jobs_accepted_total', 'lane') },
    },
    {
      title: 'Attempts of jobs per minute',
      unit: 'short',
      stacked: true,
      queries: { '{{outcome}}': perMinute('subtext_job_seconds_count', 'outcome') },
    },
    {
      title: 'Oldest waiting job',
      unit: 's',
      queries: { '{{lane}}': 'max by (lane) (subtext_jobs_oldest_waiting_seconds)' },
    },
    {
      title: 'Services that cannot be reached',
      unit: 'short',
      queries: { '{{job}}: {{dependency}}': 'count by (job, dependency) (subtext_dependency_up == 0)' },
    },
    {
      title: 'CPU by process',
      unit: 'short',
      queries: { '{{job}} {{instance}}': `rate(process_cpu_seconds_total${RATE})` },
    },
    { title: 'Memory by process', unit: 'bytes', queries: { '{{job}} {{instance}}': 'process_resident_memory_bytes' } },
    {
      title: 'Event loop delay, 99th percentile',
      unit: 's',
      queries: { '{{job}} {{instance}}': 'nodejs_eventloop_lag_p99_seconds' },
    },
    {
      title: 'Versions',
      unit: 'short',
      stacked: true,
      queries: { '{{job}} {{version}}': 'count by (job, version) (subtext_build_info)' },
    },
    { title: 'Open connections of clients', unit: 'short', queries: { '{{instance}}': 'subtext_http_connections' } },
  ],
}

const WORKERS: Dashboard = {
  uid: 'subtext-workers',
  title: 'Subtext: workers and lanes',
  panels: [
    {
      title: 'Jobs waiting and running',
      unit: 'short',
      queries: { '{{lane}} {{state}}': 'max by (lane, state) (subtext_jobs)' },
    },
    { title: 'Slots', unit: 'short', queries: { '{{lane}} {{state}}': 'sum by (lane, state) (subtext_worker_slots)' } },
    {
      title: 'Wait until the first start',
      unit: 's',
      queries: {
        '{{lane}} median': quantile(0.5, 'subtext_job_wait_seconds', 'lane'),
        '{{lane}} 99 %': quantile(0.99, 'subtext_job_wait_seconds', 'lane'),
      },
    },
    {
      title: 'Duration of completed attempts',
      unit: 's',
      queries: {
        '{{lane}} median': quantile(0.5, 'subtext_job_seconds', 'lane'),
        '{{lane}} 95 %': quantile(0.95, 'subtext_job_seconds', 'lane'),
      },
    },
    {
      title: 'Duration of steps, 95th percentile',
      unit: 's',
      queries: { '{{step}}': quantile(0.95, 'subtext_job_step_seconds', 'step') },
    },
    {
      title: 'Taken over and woken again per minute',
      unit: 'short',
      queries: {
        'taken over': perMinute('subtext_job_takeovers_total', 'job'),
        '{{loop}}': perMinute('subtext_jobs_woken_total', 'loop'),
      },
    },
    {
      title: 'Connections to PostgreSQL',
      unit: 'short',
      stacked: true,
      queries: { '{{job}} {{state}}': 'sum by (job, state) (subtext_db_pool_connections)' },
    },
    {
      title: 'Wait for a connection, 95th percentile',
      unit: 's',
      queries: { '{{job}}': quantile(0.95, 'subtext_db_pool_wait_seconds', 'job') },
    },
    {
      title: 'Statements, 95th percentile',
      unit: 's',
      queries: { '{{job}}': quantile(0.95, 'subtext_db_statement_seconds', 'job') },
    },
    {
      title: 'Notifications lost per minute',
      unit: 'short',
      queries: { '{{kind}}': perMinute('subtext_notifications_lost_total', 'kind') },
    },
  ],
}

const WEBHOOKS: Dashboard = {
  uid: 'subtext-webhooks',
  title: 'Subtext: webhooks',
  panels: [
    {
      title: 'Deliveries that have not ended',
      unit: 'short',
      queries: { '{{state}}': 'max by (state) (subtext_webhooks_pending)' },
    },
    {
      title: 'Oldest delivery that is due',
      unit: 's',
      queries: { oldest: 'max(subtext_webhooks_oldest_due_seconds)' },
    },
    {
      title: 'Time until the first attempt',
      unit: 's',
      queries: {
        '{{pace}} median': quantile(0.5, 'subtext_webhook_lag_seconds', 'pace'),
        '{{pace}} 99 %': quantile(0.99, 'subtext_webhook_lag_seconds', 'pace'),
      },
    },
    {
      title: 'Attempts per minute',
      unit: 'short',
      stacked: true,
      queries: { '{{result}}': perMinute('subtext_webhook_attempts_total', 'result') },
    },
    {
      title: 'Duration of attempts, 95th percentile',
      unit: 's',
      queries: { attempts: quantile(0.95, 'subtext_webhook_attempt_seconds') },
    },
    {
      title: 'Deliveries ended per minute',
      unit: 'short',
      stacked: true,
      queries: { '{{status}}': perMinute('subtext_webhook_deliveries_total', 'status') },
    },
    {
      title: 'Slots',
      unit: 'short',
      stacked: true,
      queries: { '{{state}}': 'sum by (state) (subtext_webhook_slots)' },
    },
  ],
}

const PLATFORM: Dashboard = {
  uid: 'subtext-platform',
  title: 'Subtext: video platform',
  panels: [
    {
      title: 'Attempts per minute by outcome',
      unit: 'short',
      stacked: true,
      queries: { '{{outcome}}': perMinute('subtext_platform_attempts_total', 'outcome') },
    },
    {
      title: 'Share of attempts answered, by app',
      unit: 'percentunit',
      queries: {
        '{{client}}': `${rate('subtext_platform_attempts_total{outcome="answered"}', 'client')} / ${rate('subtext_platform_attempts_total', 'client')}`,
      },
    },
    {
      title: 'Share of attempts answered, by egress',
      unit: 'percentunit',
      queries: {
        '{{exit}}': `${rate('subtext_platform_attempts_total{outcome="answered"}', 'exit')} / ${rate('subtext_platform_attempts_total', 'exit')}`,
      },
    },
    {
      title: 'Workers in which an egress rests',
      unit: 'short',
      queries: { '{{exit}}': 'sum by (exit) (subtext_platform_exit_resting)' },
    },
    {
      title: 'Duration of attempts, 95th percentile',
      unit: 's',
      queries: { '{{client}}': quantile(0.95, 'subtext_platform_attempt_seconds', 'client') },
    },
    {
      title: 'Changes of egresses per minute',
      unit: 'short',
      queries: { '{{exit}} {{state}}': perMinute('subtext_platform_exit_changes_total', 'exit, state') },
    },
    {
      title: 'Responses in an unknown form per minute',
      unit: 'short',
      queries: {
        'unknown {{client}}': perMinute('subtext_platform_unknown_states_total', 'client'),
        'missing {{client}}': perMinute('subtext_platform_missing_states_total', 'client'),
      },
    },
  ],
}

const MODEL: Dashboard = {
  uid: 'subtext-model',
  title: 'Subtext: model spend',
  panels: [
    {
      title: 'Dollars per hour',
      unit: 'currencyUSD',
      queries: { '{{model}}': `3600 * ${rate('subtext_model_cost_usd_total', 'model')}` },
    },
    {
      title: 'Dollars in the last 24 hours',
      unit: 'currencyUSD',
      queries: { '{{model}}': 'sum by (model) (increase(subtext_model_cost_usd_total[24h]))' },
    },
    {
      title: 'Tokens per minute',
      unit: 'short',
      stacked: true,
      queries: { '{{kind}}': perMinute('subtext_model_tokens_total', 'kind') },
    },
    {
      title: 'Calls per minute',
      unit: 'short',
      stacked: true,
      queries: { '{{outcome}}': perMinute('subtext_model_calls_total', 'outcome') },
    },
    {
      title: 'Duration of calls',
      unit: 's',
      queries: {
        '{{model}} median': quantile(0.5, 'subtext_model_call_seconds', 'model'),
        '{{model}} 95 %': quantile(0.95, 'subtext_model_call_seconds', 'model'),
      },
    },
    {
      title: 'Time to the first token',
      unit: 's',
      queries: {
        '{{model}} median': quantile(0.5, 'subtext_model_first_token_seconds', 'model'),
        '{{model}} 95 %': quantile(0.95, 'subtext_model_first_token_seconds', 'model'),
      },
    },
    {
      title: 'Calls waiting and under way',
      unit: 'short',
      queries: { '{{state}}': 'sum by (state) (subtext_model_slots)', limit: 'max(subtext_model_slot_limit)' },
    },
    {
      title: 'Answers discarded per minute',
      unit: 'short',
      stacked: true,
      queries: { '{{reason}}': perMinute('subtext_model_unusable_answers_total', 'reason') },
    },
    {
      title: 'Transcripts that missed the cache per minute',
      unit: 'short',
      queries: { '{{model}}': perMinute('subtext_model_uncached_prefixes_total', 'model') },
    },
  ],
}

export const DASHBOARDS: Dashboard[] = [OVERVIEW, WORKERS, WEBHOOKS, PLATFORM, MODEL]
