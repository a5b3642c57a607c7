import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { HomePage } from './pages/home.tsx'
import { ReturnPage } from './pages/sign-in/return-page.tsx'
import { readOwnPath } from './pages/sign-in/return-path.ts'
import { ErrorPage } from './ui/error-page.tsx'
import { NotFound } from './ui/not-found.tsx'
import { Protected } from './ui/protected.tsx'
import { Shell } from './ui/shell.tsx'

/** Keeps the parameters with these names whose values are strings. */
const readTexts =
  <N extends string>(...names: N[]) =>
  (search: Record<string, unknown>): { [K in N]?: string } => {
    const known = names.flatMap((name) => (search[name] === undefined ? [] : [[name, String(search[name])] as const]))
    return Object.fromEntries(known) as { [K in N]?: string }
  }

const readSignInSearch = (search: Record<string, unknown>): { next?: string; error?: string; verified?: string } => {
  const { next, ...rest } = readTexts('next', 'error', 'verified')(search)
  return { ...rest, next: readOwnPath(next) }
}

/** The parameter itself stays in the address as it is. */
const readReturnSearch = readTexts('to')

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound })
const open = () => root
const members = createRoute({ getParentRoute: open, id: 'members', component: Protected })
const protectedRoute = () => members

const openRoutes = [
  createRoute({ getParentRoute: open, path: '/', validateSearch: readTexts('url'), component: HomePage }),
  createRoute({
    getParentRoute: open,
    path: '/sign-in',
    validateSearch: readSignInSearch,
    component: lazyRouteComponent(() => import('./pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
  }),
  createRoute({
    getParentRoute: open,
    path: '/return',
    validateSearch: readReturnSearch,
    component: ReturnPage,
  }),
  createRoute({
    getParentRoute: open,
    path: '/sign-up',
    validateSearch: readTexts('setup'),
    component: lazyRouteComponent(() => import('./pages/sign-in/sign-up-page.tsx'), 'SignUpPage'),
  }),
  createRoute({
    getParentRoute: open,
    path: '/forgot-password',
    component: lazyRouteComponent(() => import('./pages/sign-in/forgot-password-page.tsx'), 'ForgotPasswordPage'),
  }),
  createRoute({
    getParentRoute: open,
    path: '/reset-password',
    validateSearch: readTexts('token', 'error'),
    component: lazyRouteComponent(() => import('./pages/sign-in/reset-password-page.tsx'), 'ResetPasswordPage'),
  }),
] as const

const memberRoutes = [
  createRoute({
    getParentRoute: protectedRoute,
    path: '/search',
    validateSearch: readTexts('q', 'kind'),
    component: lazyRouteComponent(() => import('./pages/search/search-page.tsx'), 'SearchPage'),
  }),
  createRoute({
    getParentRoute: protectedRoute,
    path: '/ask',
    validateSearch: readTexts('batch'),
    component: lazyRouteComponent(() => import('./pages/ask/ask-page.tsx'), 'AskPage'),
  }),
  createRoute({
    getParentRoute: protectedRoute,
    path: '/jobs',
    component: lazyRouteComponent(() => import('./pages/jobs/jobs-page.tsx'), 'JobsPage'),
  }),
  createRoute({
    getParentRoute: protectedRoute,
    path: '/jobs/$jobId',
    component: lazyRouteComponent(() => import('./pages/job/job-page.tsx'), 'JobPage'),
  }),
  createRoute({
    getParentRoute: protectedRoute,
    path: '/batches',
    component: lazyRouteComponent(() => import('./pages/batches/batches-page.tsx'), 'BatchesPage'),
  }),
  createRoute({
    getParentRoute: protectedRoute,
    path: '/batches/$batchId',
    component: lazyRouteComponent(() => import('./pages/batches/batch-page.tsx'), 'BatchPage'),
  }),
  createRoute({
    getParentRoute: protectedRoute,
    path: '/sources',
    validateSearch: readTexts('url'),
    component: lazyRouteComponent(() => import('./pages/sources/sources-page.tsx'), 'SourcesPage'),
  }),
  createRoute({
    getParentRoute: protectedRoute,
    path: '/sources/$sourceId',
    component: lazyRouteComponent(() => import('./pages/sources/source-page.tsx'), 'SourcePage'),
  }),
  createRoute({
    getParentRoute: protectedRoute,
    path: '/templates',
    component: lazyRouteComponent(() => import('./pages/templates/templates-page.tsx'), 'TemplatesPage'),
  }),
  createRoute({
    getParentRoute: protectedRoute,
    path: '/templates/$name',
    component: lazyRouteComponent(() => import('./pages/templates/template-page.tsx'), 'TemplatePage'),
  }),
  createRoute({
    getParentRoute: protectedRoute,
    path: '/new-template',
    component: lazyRouteComponent(() => import('./pages/templates/new-template-page.tsx'), 'NewTemplatePage'),
  }),
  createRoute({
    getParentRoute: protectedRoute,
    path: '/subscriptions',
    component: lazyRouteComponent(() => import('./pages/subscriptions/subscriptions-page.tsx'), 'SubscriptionsPage'),
  }),
  createRoute({
    getParentRoute: protectedRoute,
    path: '/subscriptions/$subscriptionId',
    component: lazyRouteComponent(() => import('./pages/subscriptions/subscription-page.tsx'), 'SubscriptionPage'),
  }),
  createRoute({
    getParentRoute: protectedRoute,
    path: '/keys',
    component: lazyRouteComponent(() => import('./pages/keys/keys-page.tsx'), 'KeysPage'),
  }),
  createRoute({
    getParentRoute: protectedRoute,
    path: '/apps',
    component: lazyRouteComponent(() => import('./pages/apps/apps-page.tsx'), 'AppsPage'),
  }),
  createRoute({
    getParentRoute: protectedRoute,
    path: '/webhooks',
    component: lazyRouteComponent(() => import('./pages/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    getParentRoute: protectedRoute,
    path: '/usage',
    component: lazyRouteComponent(() => import('./pages/usage/usage-page.tsx'), 'UsagePage'),
  }),
  createRoute({
    getParentRoute: protectedRoute,
    path: '/operations',
    component: lazyRouteComponent(() => import('./pages/operations/operations-page.tsx'), 'OperationsPage'),
  }),
  createRoute({
    getParentRoute: protectedRoute,
    path: '/operations/accounts/$accountId',
    component: lazyRouteComponent(() => import('./pages/operations/account-page.tsx'), 'AccountPage'),
  }),
  createRoute({
    getParentRoute: protectedRoute,
    path: '/settings',
    component: lazyRouteComponent(() => import('./pages/settings/settings-page.tsx'), 'SettingsPage'),
  }),
] as const

const routeTree = root.addChildren([...openRoutes, members.addChildren(memberRoutes)])

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultErrorComponent: ErrorPage,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
