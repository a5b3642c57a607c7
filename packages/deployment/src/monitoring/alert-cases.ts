interface Series {
  series: string
  values: string
}

/** Without these, `ProcessMissing` fires. */
export const UP: Series[] = ['api', 'worker', 'webhooks'].map((job) => ({
  series: `up{job="${job}"}`,
  values: '1x480',
}))
const MCP = (instance: string, values: string) => ({ series: `up{job="mcp",instance="${instance}"}`, values })
const REQUESTS = (status: number, values: string) => ({
  series: `subtext_http_request_seconds_count{method="POST",route="/api/v1/videos/process",status="${status}"}`,
  values,
})
const waits = (late: number) => [
  { series: 'subtext_job_wait_seconds_count{lane="high"}', values: '0+100x480' },
  { series: 'subtext_job_wait_seconds_bucket{lane="high",le="10"}', values: `0+${100 - late}x480` },
]
const lags = (pace: string, late: number) => [
  { series: `subtext_webhook_lag_seconds_count{pace="${pace}"}`, values: '0+1000x480' },
  { series: `subtext_webhook_lag_seconds_bucket{pace="${pace}",le="5"}`, values: `0+${1_000 - late}x480` },
]

const purge = (created: string, succeeded?: string): Series[] => [
  { series: 'kube_cronjob_created{namespace="subtext",cronjob="purge"}', values: created },
  ...(succeeded === undefined
    ? []
    : [
        {
          series: 'kube_cronjob_status_last_successful_time{namespace="subtext",cronjob="purge"}',
          values: succeeded,
        },
      ]),
]

/** Situations of eight hours, and whether an alert fires at their end. */
export const CASES: [alert: string, situation: string, input: Series[], fires: boolean][] = [
  [
    'SubmissionsFail',
    'one in a hundred submissions fails',
    [REQUESTS(202, '0+99x480'), REQUESTS(503, '0+1x480')],
    true,
  ],
  ['SubmissionsFail', 'clients make mistakes', [REQUESTS(202, '0+99x480'), REQUESTS(400, '0+50x480')], false],
  [
    'SubmissionsFail',
    'a single submission failed on a quiet night',
    [REQUESTS(202, '0+0x470 1+0x10'), REQUESTS(503, '0+0x470 1+0x10')],
    false,
  ],
  ['UrgentJobsStartLate', 'a fifth of the urgent jobs start late', waits(20), true],
  ['UrgentJobsStartLate', 'one in two hundred starts late', waits(0.5), false],
  ['WebhooksStartLate', 'two per cent of the first attempts are late', lags('quick', 20), true],
  ['WebhooksStartLate', 'slow receivers get theirs late', [...lags('quick', 0), ...lags('slow', 900)], false],
  [
    'JobsWait',
    'the oldest job has waited for ten minutes',
    [{ series: 'subtext_jobs_oldest_waiting_seconds{lane="normal"}', values: '600x480' }],
    true,
  ],
  [
    'JobsWait',
    'no worker takes urgent jobs',
    [
      { series: 'subtext_jobs_oldest_waiting_seconds{lane="high"}', values: '0+60x480' },
      { series: 'subtext_jobs_oldest_waiting_seconds{lane="normal"}', values: '0x480' },
    ],
    true,
  ],
  [
    'WebhooksWait',
    'a delivery has been due for two minutes',
    [{ series: 'subtext_webhooks_oldest_due_seconds', values: '120x480' }],
    true,
  ],
  [
    'ChecksWait',
    'no worker looks at sources',
    [{ series: 'subtext_source_checks_oldest_due_seconds', values: '0+60x480' }],
    true,
  ],
  [
    'PlatformRefuses',
    'most attempts are refused',
    [
      { series: 'subtext_platform_attempts_total{outcome="answered"}', values: '0+2x480' },
      { series: 'subtext_platform_attempts_total{outcome="bot_check"}', values: '0+8x480' },
    ],
    true,
  ],
  [
    'PlatformRefuses',
    'a few attempts are refused',
    [
      { series: 'subtext_platform_attempts_total{outcome="answered"}', values: '0+8x480' },
      { series: 'subtext_platform_attempts_total{outcome="bot_check"}', values: '0+2x480' },
    ],
    false,
  ],
  [
    'PlatformRefuses',
    'most videos have no captions, are private or do not exist',
    [
      { series: 'subtext_platform_attempts_total{outcome="answered"}', values: '0+4x480' },
      { series: 'subtext_platform_attempts_total{outcome="no_captions"}', values: '0+6x480' },
      { series: 'subtext_platform_attempts_total{outcome="private"}', values: '0+2x480' },
      { series: 'subtext_platform_attempts_total{outcome="error"}', values: '0+2x480' },
    ],
    false,
  ],
  [
    'PlatformChanged',
    'responses have no status',
    [
      { series: 'subtext_platform_missing_states_total', values: '0+1x480' },
      { series: 'subtext_platform_unknown_states_total', values: '0x480' },
    ],
    true,
  ],
  [
    'ModelNeedsAction',
    'the credit is used up',
    [{ series: 'subtext_model_calls_total{model="m",outcome="billing"}', values: '0+1x480' }],
    true,
  ],
  [
    'ModelSpend',
    'the hour costs ten dollars, and nothing is known of the day before',
    [{ series: 'subtext_model_cost_usd_total', values: '0+0.2x480' }],
    false,
  ],
  [
    'DailySpendLimitReached',
    'the day is used up',
    [{ series: 'subtext_spending_refused_total{limit="day"}', values: '0+1x480' }],
    true,
  ],
  [
    'DailySpendLimitReached',
    'an account has used up its month',
    [
      { series: 'subtext_spending_refused_total{limit="day"}', values: '0x480' },
      { series: 'subtext_spending_refused_total{limit="month"}', values: '0+1x480' },
    ],
    false,
  ],
  [
    'EmailsFail',
    'the mail server refuses the password',
    [
      { series: 'subtext_emails_total{outcome="postponed"}', values: '0+1x480' },
      { series: 'subtext_emails_total{outcome="sent"}', values: '5x480' },
    ],
    true,
  ],
  [
    'EmailsFail',
    'one mailbox is full, and others get their emails',
    [
      { series: 'subtext_emails_total{outcome="postponed"}', values: '0+1x480' },
      { series: 'subtext_emails_total{outcome="sent"}', values: '0+1x480' },
    ],
    false,
  ],
  ['ProcessMissing', 'there has never been an MCP server', [], false],
  ['ProcessMissing', 'one of two MCP servers is missing', [MCP('a', '1x480'), MCP('b', '1x100 0x380')], false],
  ['ProcessMissing', 'the MCP server is missing', [MCP('a', '1x100 0x380')], true],
  [
    'DependencyDown',
    'no worker reaches Redis',
    [
      { series: 'subtext_dependency_up{job="worker",dependency="redis",instance="a"}', values: '0x480' },
      { series: 'subtext_dependency_up{job="worker",dependency="redis",instance="b"}', values: '0x480' },
    ],
    true,
  ],
  [
    'DependencyDown',
    'one of two workers does not reach Redis',
    [
      { series: 'subtext_dependency_up{job="worker",dependency="redis",instance="a"}', values: '0x480' },
      { series: 'subtext_dependency_up{job="worker",dependency="redis",instance="b"}', values: '1x480' },
    ],
    false,
  ],
  [
    'EventLoopBlocked',
    'an event loop is blocked',
    [{ series: 'nodejs_eventloop_lag_p99_seconds{job="api"}', values: '0.9x480' }],
    true,
  ],
  ['ScheduledJobMissing', 'the purge succeeds every hour', purge('-200000x480', '0+60x480'), false],
  ['ScheduledJobMissing', 'the purge has not succeeded for two days', purge('-200000x480', '-172800x480'), true],
  ['ScheduledJobMissing', 'the purge was created two days ago and has never succeeded', purge('-172800x480'), true],
  ['ScheduledJobMissing', 'the purge was created today', purge('0x480'), false],
]
