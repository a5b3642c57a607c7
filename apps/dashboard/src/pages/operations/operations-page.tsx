import RefreshCw from 'virtual:icons/refresh-cw'
import type { Operations } from '@subtext/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { operationsQuery } from '../../api/operations.ts'
import { formatDuration, formatNumber, formatRelative, formatUsd, formatUtcDay } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Figures } from '../../ui/figures.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { BarChart } from '../usage/bar-chart.tsx'
import { Accounts } from './accounts.tsx'
import { Actions } from './actions.tsx'

/** Load and spending of the service, and all accounts. For operators. */
export function OperationsPage() {
  const operations = useQuery(operationsQuery)
  return (
    <>
      <PageHeader
        title="Operations"
        description="Load, costs and accounts."
        actions={
          <Button busy={operations.isFetching} onClick={() => void operations.refetch()}>
            <RefreshCw className="size-4" aria-hidden="true" />
            Refresh
          </Button>
        }
      />
      <QueryView query={operations}>{(data) => <Overview {...data} />}</QueryView>
    </>
  )
}

function Overview({ lanes, webhooks, spending, accounts, keys }: Operations) {
  const plans = Object.entries(accounts.by_plan).map(([plan, count]) => `${count} ${plan}`)
  const waiting = lanes.reduce((sum, lane) => sum + lane.waiting, 0)
  const running = lanes.reduce((sum, lane) => sum + lane.running, 0)
  const figures = [
    { name: 'Jobs waiting', value: formatNumber(waiting), note: `${formatNumber(running)} running` },
    {
      name: 'Deliveries due',
      value: formatNumber(webhooks.due),
      note: `${formatNumber(webhooks.scheduled)} scheduled`,
    },
    { name: 'Accounts', value: formatNumber(accounts.total), note: plans.join(', ') },
    {
      name: 'Active keys',
      value: formatNumber(keys.active),
      note: `${keys.disabled} disabled, ${keys.expired} expired, ${keys.revoked} revoked`,
    },
  ]
  return (
    <div className="flex flex-col gap-10">
      <Figures figures={figures} />
      <Part title="Queue">
        <DataTable
          caption="Queue by lane"
          columns={[
            { name: 'Lane' },
            { name: 'Waiting', isNumber: true },
            { name: 'Running', isNumber: true, from: 'sm' },
            { name: 'Oldest waiting', isNumber: true },
          ]}
          rows={lanes.map((lane) => ({
            key: lane.lane,
            cells: [
              lane.lane,
              formatNumber(lane.waiting),
              formatNumber(lane.running),
              lane.waiting === 0 ? 'none' : formatDuration(lane.oldest_waiting_seconds),
            ],
          }))}
          empty="There are no lanes."
        />
      </Part>
      <Part title="Failing deliveries">
        <FailingEndpoints endpoints={webhooks.failing_endpoints} />
      </Part>
      <Part title="Spending on language models">
        <Spending {...spending} />
      </Part>
      <Accounts />
      <Part title="What operators did">
        <Actions />
      </Part>
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-4">
      <h2 className="text-lg font-semibold tracking-tight">{title}</h2>
      {children}
    </section>
  )
}

function FailingEndpoints({ endpoints }: { endpoints: Operations['webhooks']['failing_endpoints'] }) {
  return (
    <DataTable
      caption="Failing webhook endpoints"
      columns={[
        { name: 'Endpoint' },
        { name: 'Account', from: 'md' },
        { name: 'Failing since', from: 'sm' },
        { name: 'Events', isNumber: true },
      ]}
      rows={endpoints.map(({ account_id, email, url, failing_since, failed_events, disabled_at }) => ({
        key: `${account_id} ${url}`,
        cells: [
          <span key="url" className="flex flex-wrap items-center gap-2">
            {url}
            {disabled_at && <StatusBadge status="disabled" />}
          </span>,
          email,
          formatRelative(failing_since),
          formatNumber(failed_events),
        ],
      }))}
      empty="All endpoints are accepting deliveries."
    />
  )
}

function Spending({ days, models_last_hour: models }: Operations['spending']) {
  return (
    <>
      <BarChart
        label="Spending by day"
        bars={days.map(({ date, cost_usd }) => ({ key: date, name: formatUtcDay(date), value: cost_usd })).reverse()}
        format={formatUsd}
      />
      <DataTable
        caption="Spending by model in the last hour"
        columns={[
          { name: 'Model, last hour' },
          { name: 'Input tokens', isNumber: true, from: 'sm' },
          { name: 'Cached', isNumber: true, from: 'md' },
          { name: 'Output tokens', isNumber: true, from: 'sm' },
          { name: 'Cost', isNumber: true },
        ]}
        rows={models.map((model) => ({
          key: model.model,
          cells: [
            model.model,
            formatNumber(model.input_tokens),
            formatNumber(model.cached_input_tokens),
            formatNumber(model.output_tokens),
            formatUsd(model.cost_usd),
          ],
        }))}
        empty="Nothing was spent on language models in the last hour."
      />
    </>
  )
}
