import type { CurrentUsage, QuotaStatus } from '@subtext/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { subtext } from '../../api/client.ts'
import { currentUsageQuery } from '../../api/usage.ts'
import { formatDay, formatNumber, formatUsd, formatUtcDay } from '../../format.ts'
import { Figures } from '../../ui/figures.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { Progress } from '../../ui/progress.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Select } from '../../ui/select.tsx'
import { BarChart } from './bar-chart.tsx'
import { Breakdown } from './breakdown.tsx'
import { Receipts } from './receipts.tsx'

const DAYS = 30

export function UsagePage() {
  const current = useQuery(currentUsageQuery)
  return (
    <>
      <PageHeader title="Usage" description="What you have used this month, what it cost, and what is left." />
      {/* An error of the first request applies to the others as well, so it is shown once. */}
      <QueryView query={current}>
        {(usage) => (
          <div className="flex flex-col gap-10">
            <ThisMonth usage={usage} />
            <History />
            <Breakdown />
            <Receipts />
          </div>
        )}
      </QueryView>
    </>
  )
}

function ThisMonth({ usage: { current_period: period, plan, quotas, spending } }: { usage: CurrentUsage }) {
  const figures = [
    { name: 'Cost', value: formatUsd(period.total_cost) },
    { name: 'Videos', value: formatNumber(period.videos_processed) },
    { name: 'Tokens', value: formatNumber(period.total_tokens) },
    {
      name: 'Requests',
      value: formatNumber(period.total_requests),
      note: `${formatNumber(period.failed_requests)} failed`,
    },
  ]
  return (
    <section aria-label="This month" className="flex flex-col gap-4">
      <Figures figures={figures} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Quota name="Videos today" quota={quotas.daily} />
        <Quota name="Videos this month" quota={quotas.monthly} />
        <Spending month={spending.month} />
      </div>
      <p className="text-sm text-muted">
        Your plan: <span className="font-medium text-ink capitalize">{plan}</span>
      </p>
    </section>
  )
}

function Quota({ name, quota: { limit, used, reset_at } }: { name: string; quota: QuotaStatus }) {
  return (
    <div className="flex flex-col gap-2 rounded-2xl border border-line bg-surface p-4">
      <div className="flex items-baseline justify-between text-sm">
        <span className="font-medium">{name}</span>
        <span className="text-muted tabular-nums">
          {formatNumber(used)} of {limit === null ? 'unlimited' : formatNumber(limit)}
        </span>
      </div>
      {limit !== null && <Progress value={Math.min(100, (used / Math.max(1, limit)) * 100)} label={name} />}
      <span className="text-xs text-muted">Resets on {formatDay(reset_at)}</span>
    </div>
  )
}

/** What was spent in the month, and the limit, which people set in their settings. */
function Spending({ month: { limit_usd, used_usd, reserved_usd, reset_at } }: { month: Month }) {
  const share = limit_usd ? ((used_usd + reserved_usd) / limit_usd) * 100 : 100
  return (
    <div className="flex flex-col gap-2 rounded-2xl border border-line bg-surface p-4 sm:col-span-2">
      <div className="flex items-baseline justify-between text-sm">
        <span className="font-medium">Spending this month</span>
        <span className="text-muted tabular-nums">
          {formatUsd(used_usd)} of {limit_usd === null ? 'unlimited' : formatUsd(limit_usd)}
        </span>
      </div>
      {limit_usd !== null && <Progress value={Math.min(100, share)} label="Spending this month" />}
      <span className="flex flex-wrap justify-between gap-2 text-xs text-muted">
        <span>
          Resets on {formatDay(reset_at)}
          {reserved_usd > 0 &&
            `. ${formatUsd(reserved_usd)} more is set aside for calls that may still cost something.`}
        </span>
        <Link to="/settings" className="text-accent underline-offset-4 hover:underline">
          {limit_usd === null ? 'Set a limit' : 'Change the limit'}
        </Link>
      </span>
    </div>
  )
}

const MEASURES = {
  cost: { name: 'Cost', read: ({ total_cost }: Period) => total_cost, format: formatUsd },
  videos: { name: 'Videos', read: ({ videos_processed }: Period) => videos_processed, format: formatNumber },
  requests: { name: 'Requests', read: ({ total_requests }: Period) => total_requests, format: formatNumber },
  tokens: { name: 'Tokens', read: ({ total_tokens }: Period) => total_tokens, format: formatNumber },
}
type Measure = keyof typeof MEASURES
const MEASURE_OPTIONS = Object.entries(MEASURES).map(([key, { name }]) => [key as Measure, name] as const)
type Period = CurrentUsage['current_period']
type Month = CurrentUsage['spending']['month']

function History() {
  const [measure, setMeasure] = useState<Measure>('videos')
  const history = useQuery({
    queryKey: ['usage', 'history', 'daily'],
    queryFn: () => subtext.usage.history({ granularity: 'daily', limit: DAYS }),
  })
  const { name, read, format } = MEASURES[measure]
  return (
    <section aria-labelledby="by-day" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="by-day" className="text-lg font-semibold tracking-tight">
          By day
        </h2>
        <Select label="Show" options={MEASURE_OPTIONS} value={measure} onChange={setMeasure} />
      </div>
      <QueryView query={history}>
        {({ periods }) => (
          <BarChart
            label={`${name} by day`}
            bars={periods
              .map((period) => ({ key: period.start_date, name: formatUtcDay(period.start_date), value: read(period) }))
              .toSorted((one, other) => one.key.localeCompare(other.key))}
            format={format}
          />
        )}
      </QueryView>
    </section>
  )
}
