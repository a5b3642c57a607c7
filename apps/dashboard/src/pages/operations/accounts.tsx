import type { AccountKey, OperatedAccount } from '@subtext/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { accountsQuery } from '../../api/operations.ts'
import { formatDay, formatNumber, formatRelative } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'

/** All accounts with their plans and keys, newest first. */
export function Accounts() {
  const [typed, setTyped] = useState('')
  const [email, setEmail] = useState('')
  const pages = useInfiniteQuery(accountsQuery(email))
  const find = (event: FormEvent) => {
    event.preventDefault()
    setEmail(typed.trim())
  }
  return (
    <section aria-labelledby="accounts" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="accounts" className="text-lg font-semibold tracking-tight">
          Accounts
        </h2>
        <form onSubmit={find} className="flex gap-2">
          <SearchField
            label="Find an account by its email address"
            placeholder="Email address"
            value={typed}
            onChange={setTyped}
            className="w-56 max-sm:w-40"
          />
          <Button type="submit">Find</Button>
        </form>
      </div>
      <QueryView query={pages}>
        {({ pages: loaded }) => (
          <div>
            <AccountTable accounts={loaded.flatMap(({ items }) => items)} />
            <LoadMore pages={pages} />
          </div>
        )}
      </QueryView>
    </section>
  )
}

function AccountTable({ accounts }: { accounts: OperatedAccount[] }) {
  return (
    <DataTable
      caption="Accounts"
      columns={[
        { name: 'Account' },
        { name: 'Plan' },
        { name: 'Keys', from: 'md' },
        { name: 'Jobs', isNumber: true },
        { name: 'Failed', isNumber: true, from: 'lg' },
        { name: 'Since', isNumber: true, from: 'sm' },
      ]}
      rows={accounts.map((account) => ({
        key: account.id,
        cells: [
          <Identity key="account" {...account} />,
          <span key="plan" className="capitalize">
            {account.plan}
          </span>,
          <Keys key="keys" keys={account.keys} />,
          formatNumber(account.jobs_accepted),
          formatNumber(account.jobs_failed),
          formatDay(account.created_at),
        ],
      }))}
      empty="No account has this address."
    />
  )
}

function Identity({ id, email, name, operator, email_verified, suspended_at }: OperatedAccount) {
  return (
    <span className="flex flex-col gap-0.5">
      <span className="flex flex-wrap items-center gap-2">
        <Link
          to="/operations/accounts/$accountId"
          params={{ accountId: id }}
          className="text-accent underline-offset-4 hover:underline"
        >
          {email}
        </Link>
        {operator && <StatusBadge status="operator" />}
        {suspended_at && <StatusBadge status="suspended" />}
        {!email_verified && <StatusBadge status="not confirmed" />}
      </span>
      {name !== '' && <span className="text-xs font-normal text-muted">{name}</span>}
    </span>
  )
}

/** The keys of an account that are not revoked. */
export function Keys({ keys }: { keys: AccountKey[] }) {
  if (keys.length === 0) return <span className="text-muted">none</span>
  return (
    <ul className="flex flex-col gap-1 text-xs">
      {keys.map(({ id, name, last_four, status, last_used_at }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-2">
          <span>{name ?? 'Created by an operator'}</span>
          <code className="font-mono text-muted">…{last_four}</code>
          <span className="text-muted">{last_used_at ? `used ${formatRelative(last_used_at)}` : 'never used'}</span>
          {status !== 'active' && <StatusBadge status={status} />}
        </li>
      ))}
    </ul>
  )
}
