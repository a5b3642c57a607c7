import ChevronRight from 'virtual:icons/chevron-right'
import { Collapsible } from '@base-ui/react/collapsible'
import type {
  AnsweredDeliveryAttempt,
  DeliveryAttempt,
  DeliveryStatus,
  WebhookDelivery,
  WebhookEventType,
} from '@subtext/sdk'
import { DELIVERY_STATUSES, WEBHOOK_EVENT_TYPES } from '@subtext/sdk/vocabulary'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { subtext } from '../../api/client.ts'
import { formatExactTime, formatRelative } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { EmptyState } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { ScrollArea } from '../../ui/scroll-area.tsx'
import { Select } from '../../ui/select.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { listChoices, nameStatus } from '../../vocabulary.ts'

const STATUSES = listChoices(DELIVERY_STATUSES, nameStatus)
const EVENTS = listChoices(WEBHOOK_EVENT_TYPES, (event) => event)
/** Stays well below the hourly request limit, even if the page stays open. */
const TAIL_MS = 3_000

/** The latest deliveries with their attempts; while the tail is live, new ones appear automatically. */
export function Deliveries() {
  const [status, setStatus] = useState<DeliveryStatus | ''>('')
  const [event, setEvent] = useState<WebhookEventType | ''>('')
  const [isLive, setLive] = useState(true)
  const deliveries = useQuery({
    queryKey: ['deliveries', status, event],
    queryFn: () =>
      subtext.webhooks.deliveries({ status: status || undefined, event: event || undefined, limit: 50 }).page(),
    // An answer that failed, such as at the request limit, ends the tail until someone tries again.
    refetchInterval: ({ state }) => isLive && !state.error && TAIL_MS,
    placeholderData: (known) => known,
  })
  return (
    <section aria-labelledby="deliveries" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <h2 id="deliveries" className="mr-auto text-lg font-semibold tracking-tight">
          Deliveries
        </h2>
        <LiveSwitch isLive={isLive} onChange={setLive} />
        <div className="flex gap-x-4 gap-y-3 max-sm:w-full max-sm:flex-col">
          <Select label="Event" options={EVENTS} value={event} onChange={setEvent} className="max-sm:justify-between" />
          <Select
            label="Status"
            options={STATUSES}
            value={status}
            onChange={setStatus}
            className="max-sm:justify-between"
          />
        </div>
      </div>
      <QueryView query={deliveries}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState title="No deliveries yet">
              Set <code className="font-mono">webhook_url</code> when you submit a video, or send a test event.{' '}
              <a href="/api/v1/docs/guides/webhooks" className="text-accent underline underline-offset-4">
                How webhooks work
              </a>
            </EmptyState>
          ) : (
            <ul className="divide-y divide-line overflow-hidden rounded-2xl border border-line bg-surface">
              {items.map((delivery) => (
                <DeliveryRow key={delivery.delivery_id} delivery={delivery} />
              ))}
            </ul>
          )
        }
      </QueryView>
    </section>
  )
}

/** Shows whether new deliveries appear automatically, and switches that on and off. */
function LiveSwitch({ isLive, onChange }: { isLive: boolean; onChange: (isLive: boolean) => void }) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isLive}
      onClick={() => onChange(!isLive)}
      className="inline-flex h-9 items-center gap-2 rounded-lg px-2 text-sm text-muted hover:text-ink"
    >
      <span
        aria-hidden="true"
        className={cx('size-2.5 rounded-full', isLive ? 'animate-pulse bg-success' : 'border border-muted')}
      />
      Live updates
    </button>
  )
}

function DeliveryRow({ delivery }: { delivery: WebhookDelivery }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Collapsible.Root open={isOpen} onOpenChange={setOpen} render={<li />}>
      <Collapsible.Trigger className="group flex w-full items-center gap-3 px-4 py-3 text-start hover:bg-sunken focus-visible:-outline-offset-2">
        <ChevronRight
          className="size-4 shrink-0 text-muted transition group-data-panel-open:rotate-90"
          aria-hidden="true"
        />
        <span className="min-w-0 grow">
          <span className="block truncate text-sm font-medium">{delivery.event}</span>
          <span className="block truncate text-xs text-muted">{delivery.url}</span>
        </span>
        <span className="hidden text-xs text-muted sm:block">{formatRelative(delivery.created_at)}</span>
        {/* Of one width, so that the times before it form a column. */}
        <span className="flex shrink-0 justify-end sm:w-20">
          <StatusBadge status={delivery.status} />
        </span>
      </Collapsible.Trigger>
      <Collapsible.Panel className="border-t border-line bg-sunken px-4 py-4">
        <DeliveryDetails delivery={delivery} />
      </Collapsible.Panel>
    </Collapsible.Root>
  )
}

function DeliveryDetails({
  delivery: { delivery_id, event_id, job_id, next_attempt_at, updated_at },
}: {
  delivery: WebhookDelivery
}) {
  const queries = useQueryClient()
  const details = useQuery({
    queryKey: ['delivery', delivery_id, updated_at],
    queryFn: () => subtext.webhooks.delivery(delivery_id),
    placeholderData: (known) => known,
  })
  const redeliver = useMutation({
    mutationFn: () => subtext.webhooks.redeliver(delivery_id),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['deliveries'] }),
  })
  return (
    <div className="flex flex-col gap-3">
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
        <span>
          Event ID <code className="font-mono wrap-anywhere">{event_id}</code>
        </span>
        {job_id && (
          <Link to="/jobs/$jobId" params={{ jobId: job_id }} className="text-accent underline-offset-4 hover:underline">
            Open the job
          </Link>
        )}
      </p>
      <QueryView query={details}>
        {({ attempts, request_body, request_bytes }) => (
          <>
            <Attempts attempts={attempts} />
            <LastResponse attempt={attempts.at(-1)} />
            <Excerpt title={`Request body, ${formatBytes(request_bytes)}`} text={request_body} />
          </>
        )}
      </QueryView>
      {next_attempt_at && <p className="text-sm text-muted">The next attempt is {formatRelative(next_attempt_at)}.</p>}
      <ErrorNotice error={redeliver.error} />
      <Button className="self-start" busy={redeliver.isPending} onClick={() => redeliver.mutate()}>
        Redeliver
      </Button>
    </div>
  )
}

const BYTES = new Intl.NumberFormat('en', { style: 'unit', unit: 'byte', unitDisplay: 'long' })
const formatBytes = (bytes: number): string => BYTES.format(bytes)

function LastResponse({ attempt }: { attempt: AnsweredDeliveryAttempt | undefined }) {
  return attempt?.response_body ? (
    <Excerpt title={`Response to attempt ${attempt.attempt}`} text={attempt.response_body} />
  ) : null
}

/** A text of somebody else, shown as it is. */
function Excerpt({ title, text }: { title: string; text: string }) {
  return (
    <details>
      <summary className="cursor-pointer text-sm">{title}</summary>
      <ScrollArea className="mt-2 max-h-72 overflow-auto rounded-md border border-line p-3">
        <pre className="font-mono text-xs whitespace-pre-wrap wrap-anywhere">{text}</pre>
      </ScrollArea>
    </details>
  )
}

/** Why a receiver gave no response, in words. */
const FAILURES: Record<string, string> = {
  timeout: 'Timed out',
  dns: 'Host name not found',
  refused: 'Connection refused',
  unreachable: 'Host unreachable',
  tls: 'TLS failed',
  reset: 'Connection closed',
  invalid_response: 'Not an HTTP response',
  connection: 'No connection',
  address_refused: 'Address not allowed',
}

const describeResponse = (statusCode: number | null | undefined, error: string | null | undefined): string =>
  [statusCode, error && (FAILURES[error] ?? error)].filter(Boolean).join(': ')

function Attempts({ attempts }: { attempts: DeliveryAttempt[] }) {
  if (attempts.length === 0) return <p className="text-sm text-muted">No attempt yet.</p>
  return (
    <ScrollArea className="overflow-x-auto">
      <table className="w-full text-xs sm:text-sm">
        <caption className="sr-only">Attempts</caption>
        <thead className="text-start text-xs text-muted">
          <tr>
            {['Attempt', 'Time', 'Response', 'Duration'].map((name) => (
              <th key={name} scope="col" className="py-1 pe-3 text-start font-medium last:pe-0 last:text-end sm:pe-6">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {attempts.map(({ attempt, started_at, status_code, error, duration_ms }) => (
            <tr key={attempt} className="border-t border-line">
              <td className="py-1.5 pe-3 tabular-nums sm:pe-6">{attempt}</td>
              <td className="py-1.5 pe-3 sm:pe-6 sm:whitespace-nowrap">{formatExactTime(started_at)}</td>
              <td className="py-1.5 pe-3 sm:pe-6">{describeResponse(status_code, error)}</td>
              <td className="py-1.5 text-end whitespace-nowrap tabular-nums">{duration_ms} ms</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}
