import type { Dashboard } from './build-dashboard.ts'
import { perMinute, quantile, rate, rateOfEach } from './queries.ts'

const ratio = (objective: string): string => `1 - subtext:${objective}:bad_ratio_rate1h`

const COMPLETED = '{outcome="completed"}'

export const OVERVIEW: Dashboard = {
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
      title: 'Attempts at jobs per minute',
      unit: 'short',
      stacked: true,
      queries: { '{{outcome}}': perMinute('subtext_job_seconds_count', 'outcome') },
    },
    {
      title: 'Oldest waiting job',
      unit: 's',
      limit: 300,
      queries: { '{{lane}}': 'max by (lane) (subtext_jobs_oldest_waiting_seconds)' },
    },
    {
      title: 'Processes that cannot reach a service',
      unit: 'short',
      queries: { '{{job}}: {{dependency}}': 'sum by (job, dependency) (subtext_dependency_up == bool 0)' },
    },
    {
      title: 'Processor cores by process',
      unit: 'short',
      queries: { '{{job}} {{instance}}': rateOfEach('process_cpu_seconds_total') },
    },
    { title: 'Memory by process', unit: 'bytes', queries: { '{{job}} {{instance}}': 'process_resident_memory_bytes' } },
    {
      title: 'Event loop delay, 99th percentile',
      unit: 's',
      limit: 0.5,
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

export const WORKERS: Dashboard = {
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
      limit: 10,
      queries: {
        '{{lane}} median': quantile(0.5, 'subtext_job_wait_seconds', 'lane'),
        '{{lane}} p99': quantile(0.99, 'subtext_job_wait_seconds', 'lane'),
      },
    },
    {
      title: 'Duration of completed attempts',
      unit: 's',
      queries: {
        '{{lane}} median': quantile(0.5, 'subtext_job_seconds', 'lane', COMPLETED),
        '{{lane}} p95': quantile(0.95, 'subtext_job_seconds', 'lane', COMPLETED),
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
        '{{lane}} taken over': perMinute('subtext_job_takeovers_total', 'lane'),
        'woken by {{loop}}': perMinute('subtext_jobs_woken_total', 'loop'),
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
      limit: 0.25,
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

export const WEBHOOKS: Dashboard = {
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
      limit: 60,
      queries: { oldest: 'max(subtext_webhooks_oldest_due_seconds)' },
    },
    {
      title: 'Time until the first attempt',
      unit: 's',
      limit: 5,
      queries: {
        '{{pace}} median': quantile(0.5, 'subtext_webhook_lag_seconds', 'pace'),
        '{{pace}} p99': quantile(0.99, 'subtext_webhook_lag_seconds', 'pace'),
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

export const PLATFORM: Dashboard = {
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
        '{{egress}}': `${rate('subtext_platform_attempts_total{outcome="answered"}', 'egress')} / ${rate('subtext_platform_attempts_total', 'egress')}`,
      },
    },
    {
      title: 'Workers in which an egress rests',
      unit: 'short',
      queries: { '{{egress}}': 'sum by (egress) (subtext_platform_egress_resting)' },
    },
    {
      title: 'Duration of attempts, 95th percentile',
      unit: 's',
      queries: { '{{client}}': quantile(0.95, 'subtext_platform_attempt_seconds', 'client') },
    },
    {
      title: 'Changes of egresses per minute',
      unit: 'short',
      queries: { '{{egress}} {{state}}': perMinute('subtext_platform_egress_changes_total', 'egress, state') },
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
