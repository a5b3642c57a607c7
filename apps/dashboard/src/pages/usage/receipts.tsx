import ChevronRight from 'virtual:icons/chevron-right'
import Download from 'virtual:icons/download'
import { Collapsible } from '@base-ui/react/collapsible'
import type { ReceiptLine, UsageReceipt } from '@subtext/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { subtext } from '../../api/client.ts'
import { CURSOR_PAGES } from '../../api/cursor-pages.ts'
import { formatCount, formatDateTime, formatNumber, formatUsd } from '../../format.ts'
import { BUTTON_LINK } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { EmptyState } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { MODES } from '../../vocabulary.ts'

const PAGE_SIZE = 20

/** What every job and every answer in a chat has cost, line by line, newest first. */
export function Receipts() {
  const pages = useInfiniteQuery({
    queryKey: ['usage', 'receipts'],
    queryFn: ({ pageParam }) => subtext.usage.receipts({ limit: PAGE_SIZE }).page(pageParam),
    ...CURSOR_PAGES,
  })
  return (
    <section aria-labelledby="receipts" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="receipts" className="text-lg font-semibold tracking-tight">
          Receipts
        </h2>
        <a href="/api/v1/usage/receipts?format=csv&download=1" download className={BUTTON_LINK}>
          <Download className="size-4" aria-hidden="true" />
          Download CSV
        </a>
      </div>
      <QueryView query={pages}>
        {({ pages: loaded }) => {
          const receipts = loaded.flatMap(({ items }) => items)
          if (receipts.length === 0) {
            return (
              <EmptyState title="No receipts yet">
                Every job and every answer in a chat gets one when it ends: what it used, what it cost, and why.
              </EmptyState>
            )
          }
          return (
            <div>
              <ReceiptTable receipts={receipts} />
              <LoadMore pages={pages} />
            </div>
          )
        }}
      </QueryView>
    </section>
  )
}

/** Returns the amount that needs the most digits, so that all amounts of a column get as many. */
const findScale = (amounts: number[]): number => Math.min(...amounts.filter((amount) => amount > 0))

function ReceiptTable({ receipts }: { receipts: UsageReceipt[] }) {
  const scale = findScale(receipts.map(({ total }) => total.cost_usd))
  return (
    <DataTable
      caption="Receipts"
      columns={[
        { name: 'What' },
        { name: 'Ended', from: 'sm' },
        { name: 'Tokens', isNumber: true, from: 'sm' },
        { name: 'Videos', isNumber: true, from: 'md' },
        { name: 'Cost', isNumber: true },
      ]}
      rows={receipts.map((receipt) => ({
        key: receipt.message_id ?? receipt.digest_id ?? receipt.job_id ?? receipt.ended_at,
        cells: [
          <Subject key="what" {...receipt} />,
          <Time key="ended" iso={receipt.ended_at} />,
          formatNumber(receipt.total.tokens),
          formatNumber(receipt.quota_effect),
          <span key="cost" className="font-medium">
            {formatUsd(receipt.total.cost_usd, scale)}
          </span>,
        ],
      }))}
      empty="No receipts."
    />
  )
}

const Time = ({ iso }: { iso: string }) => (
  <time dateTime={iso} className="whitespace-nowrap text-muted">
    {formatDateTime(iso)}
  </time>
)

/** What a receipt is about, and its lines. */
function Subject({ subject, job_id, video_id, outcome, ended_at, lines, client_reference }: UsageReceipt) {
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        {video_id === undefined || job_id === undefined ? (
          <span>{nameSubject(subject, job_id)}</span>
        ) : (
          <Link
            to="/jobs/$jobId"
            params={{ jobId: job_id }}
            className="wrap-anywhere underline-offset-4 hover:underline"
          >
            {subject === 'chat_message' ? 'Answer about' : nameKind(video_id)} {video_id}
          </Link>
        )}
        {client_reference && <span className="text-xs font-normal wrap-anywhere text-muted">{client_reference}</span>}
        {outcome === 'failed' && <StatusBadge status="failed" />}
      </span>
      <span className="block text-xs font-normal sm:hidden">
        <Time iso={ended_at} />
      </span>
      <Lines lines={lines} />
    </>
  )
}

/** Names what a job was made of. */
function nameKind(videoId: string): string {
  if (videoId.startsWith('imp-')) return 'Import'
  return videoId.startsWith('pod-') ? 'Episode' : 'Video'
}

/** What a receipt is about that has no job any more, or never had one. */
function nameSubject(subject: UsageReceipt['subject'], jobId: string | undefined): string {
  if (subject === 'digest') return 'Digest'
  if (subject === 'job') return 'Deleted job'
  return jobId === undefined ? 'Answer about your library' : 'Answer about a deleted job'
}

const nameOf = ({ mode, action }: ReceiptLine): string =>
  MODES.find(([known]) => known === mode)?.[1] ?? action.charAt(0).toUpperCase() + action.slice(1)

function Lines({ lines }: { lines: ReceiptLine[] }) {
  const scale = findScale(lines.map(({ cost_usd }) => cost_usd))
  return (
    <Collapsible.Root>
      <Collapsible.Trigger className="group mt-1 -ml-1 flex items-center gap-1 rounded px-1 text-xs font-normal text-muted hover:text-ink">
        <ChevronRight className="size-3.5 transition-transform group-data-panel-open:rotate-90" aria-hidden="true" />
        {formatCount(lines.length, 'line')}
      </Collapsible.Trigger>
      <Collapsible.Panel>
        <ul className="mt-2 flex flex-col gap-2 border-s-2 border-line ps-3 text-xs font-normal">
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a receipt never change and have no ID
            <li key={index} className="flex justify-between gap-4">
              <span>
                <span className="font-medium">{nameOf(line)}</span> <span className="text-muted">{line.message}</span>
              </span>
              <span className="shrink-0 tabular-nums">{formatUsd(line.cost_usd, scale)}</span>
            </li>
          ))}
        </ul>
      </Collapsible.Panel>
    </Collapsible.Root>
  )
}
