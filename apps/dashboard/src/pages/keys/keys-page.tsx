import type { AccountKey } from '@subtext/sdk'
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
  const keys = useQuery(keysQuery)
  const hasKeys = account.data?.features.includes('api_keys') ?? false
  return (
    <>
      <PageHeader
        title="API keys"
        description="For programs that call the API. A key can do what your plan includes."
        actions={hasKeys && <CreateKey />}
      />
      {account.data && !hasKeys && (
        <EmptyState title="API keys are part of the Plus plan">
          On the free plan, everything works here in the dashboard. Ask the operator of this installation to change your
          plan.
        </EmptyState>
      )}
      <QueryView query={account}>{() => null}</QueryView>
      <QueryView query={keys}>
        {(list) =>
          list.length > 0 ? (
            <ul className="divide-y divide-line overflow-hidden rounded-2xl border border-line bg-surface">
              {list.map((key) => (
                <KeyRow key={key.id} apiKey={key} />
              ))}
            </ul>
          ) : (
            hasKeys && (
              <EmptyState title="No keys yet">
                A key is shown once, when it is created. Keep it like a password.
              </EmptyState>
            )
          )
        }
      </QueryView>
    </>
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
        <p className="flex items-center gap-2 font-medium">
          <span id={nameId(id)}>{name ?? 'Created by an operator'}</span> <StatusBadge status={status} />
        </p>
        <p className="text-xs text-muted">
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
        description="Programs that use this key are refused within a second. This cannot be undone."
        busy={revoke.isPending}
        onConfirm={() => revoke.mutate()}
      />
    </div>
  )
}
