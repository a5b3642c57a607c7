import type { AccountKey, Plan } from '@subtext/sdk'
import { FEATURE_PLANS } from '@subtext/sdk/vocabulary'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { accountQuery, keysQuery, revokeKey, updateKey } from '../../api/account.ts'
import { formatDay, formatRelative } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { EmptyState, PageHeader } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { CreateKey } from './create-key.tsx'

export function KeysPage() {
  const account = useQuery(accountQuery)
  const hasKeys = account.data?.features.includes('api_keys') ?? false
  return (
    <>
      <PageHeader
        title="API keys"
        description="For programs that call the API. A key can do whatever your plan allows."
        actions={hasKeys && <CreateKey />}
      />
      <QueryView query={account}>{({ plan }) => <Keys plan={plan} areIncluded={hasKeys} />}</QueryView>
    </>
  )
}

function Keys({ plan, areIncluded }: { plan: Plan; areIncluded: boolean }) {
  const keys = useQuery(keysQuery)
  return (
    <div className="flex flex-col gap-6">
      {!areIncluded && (
        <EmptyState title={`API keys are part of the ${FEATURE_PLANS.api_keys} plan`}>
          On the {plan} plan, you submit videos and read their results here. Keys that you have made, and connected
          applications, are refused until your plan includes them again. Ask the operator of this installation to change
          your plan.
        </EmptyState>
      )}
      <QueryView query={keys}>
        {(list) =>
          list.length > 0 ? (
            <ul className="divide-y divide-line overflow-hidden rounded-2xl border border-line bg-surface">
              {list.map((key) => (
                <KeyRow key={key.id} apiKey={key} />
              ))}
            </ul>
          ) : (
            areIncluded && (
              <EmptyState title="No keys yet">
                A key is shown only once, when it is created. Treat it like a password.{' '}
                <a href="/api/v1/docs/guides/quick-start" className="text-accent underline underline-offset-4">
                  Make your first call
                </a>
              </EmptyState>
            )
          )
        }
      </QueryView>
    </div>
  )
}

/** The ID of the element that names a key. */
const nameId = (id: string): string => `key-${id}`

function KeyRow({
  apiKey: { id, name, prefix, last_four, scopes, status, created_at, expires_at, last_used_at },
}: {
  apiKey: AccountKey
}) {
  const facts = [
    scopes.join(', '),
    `created ${formatDay(created_at)}`,
    expires_at ? `expires ${formatDay(expires_at)}` : null,
    last_used_at ? `used ${formatRelative(last_used_at)}` : 'never used',
  ]
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3.5">
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
          <span id={nameId(id)}>{name ?? 'Created by an operator'}</span> <StatusBadge status={status} />
        </p>
        <p className="text-xs wrap-anywhere text-muted">
          <code className="font-mono">
            {prefix}…{last_four}
          </code>{' '}
          · {facts.filter(Boolean).join(' · ')}
        </p>
      </div>
      {(status === 'active' || status === 'disabled') && (
        <KeyActions id={id} name={name ?? prefix} isActive={status === 'active'} />
      )}
    </li>
  )
}

function KeyActions({ id, name, isActive }: { id: string; name: string; isActive: boolean }) {
  const queries = useQueryClient()
  const onSuccess = () => queries.invalidateQueries(keysQuery)
  const toggle = useMutation({ mutationFn: () => updateKey(id, { disabled: isActive }), onSuccess })
  const revoke = useMutation({ mutationFn: () => revokeKey(id), onSuccess })
  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      <ErrorNotice error={toggle.error ?? revoke.error} />
      <Button busy={toggle.isPending} onClick={() => toggle.mutate()} aria-describedby={nameId(id)}>
        {isActive ? 'Disable' : 'Enable'}
      </Button>
      <ConfirmButton
        label="Revoke"
        describedBy={nameId(id)}
        title={`Revoke ${name}?`}
        description="The key stops working within a second. This cannot be undone. Subscriptions and feeds that it created go on: delete those that you do not want."
        busy={revoke.isPending}
        onConfirm={() => revoke.mutate()}
      />
    </div>
  )
}
