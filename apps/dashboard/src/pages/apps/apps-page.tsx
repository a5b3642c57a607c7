import type { ConnectedApp } from '@subtext/sdk'
import { FEATURE_PLANS } from '@subtext/sdk/vocabulary'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { accountQuery, appsQuery, disconnectApp } from '../../api/account.ts'
import { formatDay, formatRelative } from '../../format.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { EmptyState, PageHeader } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { ConnectGuide } from './connect-guide.tsx'

/** The applications that act for a person: those that signed in to the MCP server. */
export function AppsPage() {
  const account = useQuery(accountQuery)
  return (
    <>
      <PageHeader
        title="Connected apps"
        description="Assistants and editors that may use Subtext on your behalf, over MCP. They need no API key."
      />
      <QueryView query={account}>
        {({ features }) =>
          features.includes('api_keys') ? (
            <Apps />
          ) : (
            <EmptyState title={`Apps are part of the ${FEATURE_PLANS.api_keys} plan`}>
              With it, Claude, Cursor, VS Code and other applications can summarize videos and search your transcripts.
              Ask the operator of this installation to change your plan.
            </EmptyState>
          )
        }
      </QueryView>
    </>
  )
}

function Apps() {
  const apps = useQuery(appsQuery)
  return (
    <QueryView query={apps}>
      {(list) => (
        <div className="flex flex-col gap-8">
          {list.length > 0 && (
            <ul className="divide-y divide-line overflow-hidden rounded-2xl border border-line bg-surface">
              {list.map((app) => (
                <AppRow key={app.id} app={app} />
              ))}
            </ul>
          )}
          <ConnectGuide title={list.length > 0 ? 'Connect another app' : 'No apps yet. Connect the first one'} />
        </div>
      )}
    </QueryView>
  )
}

/** The ID of the element that names an application. */
const nameId = (id: string): string => `app-${id}`

/** What an application may do, by its scopes. */
function describeRights(scopes: readonly string[]): string {
  if (scopes.includes('admin')) return 'Can do everything'
  if (!scopes.includes('write')) return 'Can read your videos, summaries and usage'
  return scopes.includes('read') ? 'Can read your videos and submit new ones' : 'Can submit videos'
}

function AppRow({ app: { id, name, place, scopes, connected_at, last_used_at } }: { app: ConnectedApp }) {
  const queries = useQueryClient()
  const disconnect = useMutation({
    mutationFn: () => disconnectApp(id),
    onSuccess: () => queries.invalidateQueries(appsQuery),
  })
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-4">
      <div className="flex min-w-0 flex-1 basis-64 flex-col gap-0.5">
        <p id={nameId(id)} dir="auto" className="font-medium wrap-anywhere">
          {name}
        </p>
        <p className="text-sm text-muted">
          {describeRights(scopes)} <span className="text-xs">({scopes.join(', ')})</span>
        </p>
        <p className="text-xs wrap-anywhere text-muted">
          {place} · connected {formatDay(connected_at)} ·{' '}
          {last_used_at ? `last used ${formatRelative(last_used_at)}` : 'never used'}
        </p>
      </div>
      <ErrorNotice error={disconnect.error} />
      <ConfirmButton
        label="Disconnect"
        describedBy={nameId(id)}
        title={`Disconnect ${name}?`}
        description="The app loses access within a second and has to ask you again. The videos that it has submitted are kept."
        busy={disconnect.isPending}
        onConfirm={() => disconnect.mutate()}
      />
    </li>
  )
}
