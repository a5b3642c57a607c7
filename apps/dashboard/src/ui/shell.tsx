import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { accountQuery } from '../api/account.ts'
import { sessionQuery } from '../api/session.ts'
import { AccountButton } from './account-button.tsx'
import { Logo } from './logo.tsx'
import { SupportNotice } from './support-notice.tsx'
import { ThemeSwitch } from './theme-switch.tsx'
import { useSearchKey } from './use-search-key.ts'

const PAGES = [
  ['/search', 'Search'],
  ['/ask', 'Ask'],
  ['/jobs', 'Jobs'],
  ['/batches', 'Batches'],
  ['/sources', 'Sources'],
  ['/subscriptions', 'Subscriptions'],
  ['/templates', 'Templates'],
  ['/keys', 'Keys'],
  ['/apps', 'Apps'],
  ['/webhooks', 'Webhooks'],
  ['/usage', 'Usage'],
  ['/settings', 'Settings'],
] as const
/** For operators of the service. */
const OPERATIONS = ['/operations', 'Operations'] as const

/** The frame of all pages: a link to skip to the content, the navigation, and the content. */
export function Shell() {
  const { data: session } = useQuery(sessionQuery)
  const { data: account } = useQuery({ ...accountQuery, enabled: Boolean(session) })
  const pages = account?.operator ? [...PAGES, OPERATIONS] : PAGES
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const bar = useRef<HTMLElement>(null)
  useSearchKey(Boolean(session))
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a phone, the bar scrolls to the page that is open
  useEffect(() => {
    bar.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [path, pages.length])
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:m-2 focus:rounded focus:bg-surface focus:p-2"
      >
        Skip to content
      </a>
      <header className="border-b border-line bg-surface print:hidden">
        <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-2 gap-y-2 px-4 py-3 sm:gap-x-6">
          <Link to="/" aria-label="Subtext, home" className="flex">
            <Logo />
          </Link>
          {session && (
            <nav
              ref={bar}
              aria-label="Main"
              className="order-last -mx-4 flex w-screen gap-1 overflow-x-auto px-2 pb-1 [scrollbar-width:none] sm:-mx-2 sm:w-full sm:px-0"
            >
              {pages.map(([to, name]) => (
                <Link
                  key={to}
                  to={to}
                  className="shrink-0 rounded-md px-2.5 py-1.5 text-sm text-muted -outline-offset-2 hover:text-ink"
                  activeProps={{ className: 'bg-sunken !text-ink', 'aria-current': 'page' }}
                >
                  {name}
                </Link>
              ))}
            </nav>
          )}
          <div className="ml-auto flex items-center gap-2">
            <a href="/docs" className="rounded-md px-2.5 py-1.5 text-sm text-muted hover:text-ink">
              Docs
            </a>
            <ThemeSwitch />
            {session ? (
              <AccountButton {...session} />
            ) : (
              <Link to="/sign-in" className="rounded-md px-2.5 py-1.5 text-sm font-medium text-accent">
                Sign in
              </Link>
            )}
          </div>
        </div>
      </header>
      <main id="content" tabIndex={-1} className="mx-auto w-full max-w-6xl flex-1 px-4 py-8 outline-none">
        {account?.session.support && <SupportNotice email={account.user.email} until={account.session.expires_at} />}
        <Outlet />
      </main>
    </div>
  )
}
