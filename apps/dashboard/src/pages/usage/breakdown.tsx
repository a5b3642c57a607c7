import { Tabs } from '@base-ui/react/tabs'
import type { UsageBreakdown } from '@subtext/sdk'
import { useQuery } from '@tanstack/react-query'
import { subtext } from '../../api/client.ts'
import { formatNumber, formatUsd } from '../../format.ts'
import { QueryView } from '../../ui/query-view.tsx'
import { TAB, TAB_LIST } from '../../ui/tabs.ts'
import { MODES } from '../../vocabulary.ts'
import { type BarRow, BarTable } from './bar-table.tsx'

const modeName = (mode: string): string => MODES.find(([known]) => known === mode)?.[1] ?? mode

/** What was used in the last 30 days, by mode, endpoint and key. */
export function Breakdown() {
  const breakdown = useQuery({ queryKey: ['usage', 'breakdown'], queryFn: () => subtext.usage.breakdown() })
  return (
    <section aria-labelledby="breakdown" className="flex flex-col gap-4">
      <h2 id="breakdown" className="text-lg font-semibold tracking-tight">
        Where it goes
        <span className="ms-2 text-sm font-normal tracking-normal text-muted">last 30 days</span>
      </h2>
      <QueryView query={breakdown}>{(data) => <Views data={data} />}</QueryView>
    </section>
  )
}

const toEndpointRows = ({ endpoints }: UsageBreakdown): BarRow[] =>
  endpoints.map(({ endpoint, total_requests, failed_requests }) => ({
    key: endpoint,
    name: endpoint,
    value: total_requests,
    cells: [formatNumber(failed_requests)],
  }))

const toModeRows = ({ modes }: UsageBreakdown): BarRow[] =>
  modes.map(({ mode, summaries, total_cost, total_tokens }) => ({
    key: mode,
    name: modeName(mode),
    value: summaries,
    cells: [formatNumber(total_tokens), formatUsd(total_cost)],
  }))

const toKeyRows = ({ keys }: UsageBreakdown): BarRow[] =>
  keys.map(({ key_id, name, last_four, total_requests, videos_processed, total_cost }) => ({
    key: key_id ?? 'dashboard',
    name: key_id === null ? 'This dashboard' : `${name ?? 'Created by an operator'} (…${last_four})`,
    value: total_requests,
    cells: [formatNumber(videos_processed), formatUsd(total_cost)],
  }))

function Views({ data }: { data: UsageBreakdown }) {
  return (
    <Tabs.Root defaultValue="mode">
      <Tabs.List aria-label="Break down by" className={`${TAB_LIST} mb-4`}>
        {[
          ['mode', 'By mode'],
          ['endpoint', 'By endpoint'],
          ['key', 'By key'],
        ].map(([value, name]) => (
          <Tabs.Tab key={value} value={value} className={TAB}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="mode">
        <BarTable
          caption="Usage by summary mode"
          columns={['Mode', 'Summaries', 'Tokens', 'Cost']}
          rows={toModeRows(data)}
          format={formatNumber}
          empty="No summaries in the last 30 days."
        />
      </Tabs.Panel>
      <Tabs.Panel value="endpoint">
        <BarTable
          caption="Requests by endpoint"
          columns={['Endpoint', 'Requests', 'Failed']}
          rows={toEndpointRows(data)}
          format={formatNumber}
          empty="No requests in this period."
        />
      </Tabs.Panel>
      <Tabs.Panel value="key">
        <BarTable
          caption="Usage by API key"
          columns={['Key', 'Requests', 'Videos', 'Cost']}
          rows={toKeyRows(data)}
          format={formatNumber}
          empty="No requests in this period."
        />
      </Tabs.Panel>
    </Tabs.Root>
  )
}
