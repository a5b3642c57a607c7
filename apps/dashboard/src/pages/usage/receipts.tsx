import { Collapsible } from '@base-ui/react/collapsible'
import type { ReceiptLine, UsageReceipt } from '@subtext/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronRight, Download } from 'lucide-react'
import { subtext } from '../../api/client.ts'
import { CURSOR_PAGES } from '../../api/cursor-pages.ts'
import { formatDateTime, formatNumber, formatUsd } from '../../format.ts'
import { BUTTON_LINK } from '../../ui/button.tsx'
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

function ReceiptTable({ receipts }: { receipts: UsageReceipt[] }) {
  return (
    <div className="overflow-x-auto rounded-2xl border border-line bg-surface">
      <table aria-label="Receipts" className="w-full text-sm">
        <thead>
          <tr className="border-b border-line text-xs text-muted">
            <th scope="col" className="px-4 py-2.5 text-start font-medium max-sm:hidden">
              Ended
            </th>
            <th scope="col" className="px-4 py-2.5 text-start font-medium">
              What
            </th>
            <th scope="col" className="px-4 py-2.5 text-end font-medium max-sm:hidden">
              Tokens
            </th>
            <th scope="col" className="px-4 py-2.5 text-end font-medium max-md:hidden">
              Videos
            </th>
            <th scope="col" className="px-4 py-2.5 text-end font-medium">
              Cost
            </th>
          </tr>
        </thead>
        <tbody>
          {receipts.map((receipt) => (
            <ReceiptRow key={receipt.message_id ?? receipt.job_id} receipt={receipt} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function ReceiptRow({ receipt }: { receipt: UsageReceipt }) {
  const { subject, job_id, video_id, outcome, ended_at, lines, total, quota_effect, client_reference } = receipt
  return (
    <tr className="border-b border-line align-top last:border-b-0">
      <td className="px-4 py-3 whitespace-nowrap text-muted max-sm:hidden">
        <time dateTime={ended_at}>{formatDateTime(ended_at)}</time>
      </td>
      <td className="w-full px-4 py-3">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Link
            to="/jobs/$jobId"
            params={{ jobId: job_id }}
            className="font-medium wrap-anywhere underline-offset-4 hover:underline"
          >
            {subject === 'chat_message' ? 'Answer about' : 'Video'} {video_id}
          </Link>
          {client_reference && <span className="text-xs wrap-anywhere text-muted">{client_reference}</span>}
          {outcome === 'failed' && <StatusBadge status="failed" />}
        </span>
        <time dateTime={ended_at} className="block text-xs text-muted sm:hidden">
          {formatDateTime(ended_at)}
        </time>
        <Lines lines={lines} />
      </td>
      <td className="px-4 py-3 text-end tabular-nums max-sm:hidden">{formatNumber(total.tokens)}</td>
      <td className="px-4 py-3 text-end tabular-nums max-md:hidden">{formatNumber(quota_effect)}</td>
      <td className="px-4 py-3 text-end font-medium whitespace-nowrap tabular-nums">{formatUsd(total.cost_usd)}</td>
    </tr>
  )
}

const nameOf = ({ mode, action }: ReceiptLine): string =>
  MODES.find(([known]) => known === mode)?.[1] ?? action.charAt(0).toUpperCase() + action.slice(1)

function Lines({ lines }: { lines: ReceiptLine[] }) {
  return (
    <Collapsible.Root>
      <Collapsible.Trigger className="group mt-1 -ml-1 flex items-center gap-1 rounded px-1 text-xs text-muted hover:text-ink">
        <ChevronRight className="size-3.5 transition-transform group-data-panel-open:rotate-90" aria-hidden="true" />
        {lines.length === 1 ? '1 line' : `${lines.length} lines`}
      </Collapsible.Trigger>
      <Collapsible.Panel>
        <ul className="mt-2 flex flex-col gap-2 border-s-2 border-line ps-3 text-xs">
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a receipt never change and have no ID
            <li key={index} className="flex justify-between gap-4">
              <span>
                <span className="font-medium">{nameOf(line)}</span> <span className="text-muted">{line.message}</span>
              </span>
              <span className="shrink-0 tabular-nums">{formatUsd(line.cost_usd)}</span>
            </li>
          ))}
        </ul>
      </Collapsible.Panel>
    </Collapsible.Root>
  )
}
