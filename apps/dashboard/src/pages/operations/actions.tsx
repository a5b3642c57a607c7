import type { OperatorAction } from '@subtext/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { actionsQuery } from '../../api/operations.ts'
import { formatRelative } from '../../format.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { describeAction, describeDetails } from './describe-action.ts'

/** Who did what, when, and to which account. `accountId`: only to this account. */
export function Actions({ accountId }: { accountId?: string }) {
  const pages = useInfiniteQuery(actionsQuery(accountId))
  const isOfOne = accountId !== undefined
  return (
    <QueryView query={pages}>
      {({ pages: loaded }) => (
        <div>
          <DataTable
            caption="What operators did"
            columns={[
              { name: 'What' },
              ...(isOfOne ? [] : [{ name: 'Account' }]),
              { name: 'By', from: 'sm' },
              { name: 'When', isNumber: true },
            ]}
            rows={loaded
              .flatMap(({ items }) => items)
              .map((action) => ({
                key: action.id,
                cells: [
                  <What key="what" {...action} />,
                  ...(isOfOne ? [] : [<Account key="account" {...action} />]),
                  describeOperator(action),
                  <time key="when" dateTime={action.created_at} title={action.created_at}>
                    {formatRelative(action.created_at)}
                  </time>,
                ],
              }))}
            empty={isOfOne ? 'No operator has changed this account.' : 'No operator has changed anything yet.'}
          />
          <LoadMore pages={pages} />
        </div>
      )}
    </QueryView>
  )
}

const describeOperator = ({ operator_email, command_by }: OperatorAction): string =>
  operator_email ?? command_by ?? 'An operator whose account was deleted'

function What(action: OperatorAction) {
  const details = describeDetails(action)
  return (
    <span className="flex flex-col gap-0.5">
      {describeAction(action)}
      <span className="text-xs font-normal text-muted sm:hidden">by {describeOperator(action)}</span>
      {details !== '' && <span className="text-xs font-normal text-muted">{details}</span>}
    </span>
  )
}

function Account({ account_id, account_email }: OperatorAction) {
  if (account_id === null) return <span className="text-muted">none</span>
  if (account_email === null) return <span className="text-muted wrap-anywhere">deleted: {account_id}</span>
  return (
    <Link
      to="/operations/accounts/$accountId"
      params={{ accountId: account_id }}
      className="wrap-anywhere text-accent underline-offset-4 hover:underline"
    >
      {account_email}
    </Link>
  )
}
