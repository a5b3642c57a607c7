import type { AccountSession } from '@subtext/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { endSession, sessionsQuery } from '../../api/account.ts'
import { formatRelative } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { QueryView } from '../../ui/query-view.tsx'

export function Sessions() {
  const sessions = useQuery(sessionsQuery)
  return (
    <QueryView query={sessions}>
      {(list) => (
        <ul className="divide-y divide-line">
          {list.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      )}
    </QueryView>
  )
}

const BROWSERS = [/Edg\//, /OPR\//, /Firefox\//, /Chrome\//, /Safari\//]
const NAMES = ['Edge', 'Opera', 'Firefox', 'Chrome', 'Safari']
const SYSTEMS = [/Windows/, /iPhone|iPad/, /Android/, /Mac OS/, /Linux/]
const SYSTEM_NAMES = ['Windows', 'iOS', 'Android', 'macOS', 'Linux']

/** Names the browser and the system, as far as the browser tells. */
function describeBrowser(userAgent: string | null): string {
  if (userAgent === null) return 'Unknown browser'
  const browser = NAMES[BROWSERS.findIndex((mark) => mark.test(userAgent))] ?? 'Unknown browser'
  const system = SYSTEM_NAMES[SYSTEMS.findIndex((mark) => mark.test(userAgent))]
  return system ? `${browser} on ${system}` : browser
}

function SessionRow({
  session: { id, current, support, created_at, ip_address, user_agent },
}: {
  session: AccountSession
}) {
  const queries = useQueryClient()
  const end = useMutation({
    mutationFn: () => endSession(id),
    onSuccess: () => queries.invalidateQueries(sessionsQuery),
  })
  const browser = support ? 'Support by an operator of the service' : describeBrowser(user_agent)
  return (
    <li className="flex items-center justify-between gap-4 py-2.5 first:pt-0 last:pb-0">
      <div className="min-w-0 text-sm">
        <p className="font-medium">{browser}</p>
        <p className="text-xs text-muted">
          {[ip_address, `signed in ${formatRelative(created_at)}`].filter(Boolean).join(' · ')}
        </p>
      </div>
      <ErrorNotice error={end.error} />
      {current ? (
        <span className="text-xs text-muted">This browser</span>
      ) : (
        <Button busy={end.isPending} onClick={() => end.mutate()} aria-label={`Sign out ${browser}`}>
          Sign out
        </Button>
      )}
    </li>
  )
}
