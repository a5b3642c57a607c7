import type { OperatedAccountDetails } from '@subtext/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { operatedAccountQuery } from '../../api/operations.ts'
import { formatDateTime, formatDay, formatNumber } from '../../format.ts'
import { Figures } from '../../ui/figures.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Section } from '../settings/section.tsx'
import { Keys } from './accounts.tsx'
import { Actions } from './actions.tsx'
import { DeleteOperatedAccount } from './delete-operated-account.tsx'
import { PlanForm } from './plan-form.tsx'
import { SupportLink } from './support-link.tsx'
import { Suspension } from './suspension.tsx'

/** One account: its plan, quotas and keys, and what operators can do about it. */
export function AccountPage() {
  const { accountId } = useParams({ from: '/members/operations/accounts/$accountId' })
  const account = useQuery(operatedAccountQuery(accountId))
  return (
    <>
      <p className="mb-4 text-sm">
        <Link to="/operations" className="text-accent underline-offset-4 hover:underline">
          Operations
        </Link>
      </p>
      <QueryView query={account}>{(data) => <Details {...data} />}</QueryView>
    </>
  )
}

function Details(account: OperatedAccountDetails) {
  const { id, email, name, suspended_at, suspended_for, email_verified } = account
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title={email}
        description={[name, `since ${formatDay(account.created_at)}`].filter(Boolean).join(', ')}
        actions={
          <span className="flex flex-wrap gap-2">
            {account.operator && <StatusBadge status="operator" />}
            {!email_verified && <StatusBadge status="not confirmed" />}
            {suspended_at && <StatusBadge status="suspended" />}
          </span>
        }
      />
      {suspended_at && (
        <Notice tone="danger">
          Suspended on {formatDateTime(suspended_at)}.{suspended_for && ` Reason: ${suspended_for}`}
        </Notice>
      )}
      <Numbers {...account} />
      <Section title="Plan and quotas" description="Changes take effect within a second.">
        <PlanForm account={account} />
      </Section>
      <Section title="Keys" description="Those that are not revoked.">
        <Keys keys={account.keys} />
      </Section>
      <Section title="Support" description="See what the owner sees. It is recorded, and the owner sees your session.">
        <SupportLink account={account} />
      </Section>
      <Section
        title={suspended_at ? 'Restore' : 'Suspend'}
        description="A suspended account can do nothing: sessions end, and keys, applications and links are refused."
      >
        <Suspension account={account} />
      </Section>
      <Section title="Delete" description="Deletes the account with its jobs, results and keys. It cannot be undone.">
        <DeleteOperatedAccount account={account} />
      </Section>
      <section aria-labelledby="actions" className="flex flex-col gap-4">
        <h2 id="actions" className="text-lg font-semibold tracking-tight">
          What operators did
        </h2>
        <Actions accountId={id} />
      </section>
    </div>
  )
}

const describeQuota = ({ limit, used }: OperatedAccountDetails['quotas']['daily']): string =>
  limit === null ? `${formatNumber(used)}, no limit` : `${formatNumber(used)} of ${formatNumber(limit)}`

function Numbers({
  quotas,
  jobs_accepted,
  jobs_failed,
  jobs_unfinished,
  sessions,
  connected_apps,
}: OperatedAccountDetails) {
  return (
    <Figures
      figures={[
        { name: 'Videos today', value: describeQuota(quotas.daily) },
        { name: 'Videos this month', value: describeQuota(quotas.monthly) },
        {
          name: 'Jobs',
          value: formatNumber(jobs_accepted),
          note: `${formatNumber(jobs_unfinished)} unfinished, ${formatNumber(jobs_failed)} failed`,
        },
        { name: 'Sessions', value: formatNumber(sessions), note: `${formatNumber(connected_apps)} connected apps` },
      ]}
    />
  )
}
