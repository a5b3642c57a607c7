import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { HomePage } from './pages/home.tsx'
import { Shell } from './ui/shell.tsx'

const root = createRootRoute({ component: Shell })
const getParentRoute = () => root

const routeTree = root.addChildren([
  createRoute({ getParentRoute, path: '/', component: HomePage }),
  createRoute({
    getParentRoute,
    path: '/sign-in',
    component: lazyRouteComponent(() => import('./pages/sign-in.tsx'), 'SignInPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/jobs',
    component: lazyRouteComponent(() => import('./pages/jobs.tsx'), 'JobsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/jobs/$jobId',
    component: lazyRouteComponent(() => import('./pages/job/job-page.tsx'), 'JobPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/batches',
    component: lazyRouteComponent(() => import('./pages/batches/batches-page.tsx'), 'BatchesPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/batches/$batchId',
    component: lazyRouteComponent(() => import('./pages/batches/batch-page.tsx'), 'BatchPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/webhooks',
    component: lazyRouteComponent(() => import('./pages/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/usage',
    component: lazyRouteComponent(() => import('./pages/usage/usage-page.tsx'), 'UsagePage'),
  }),
])

export const router = createRouter({ routeTree, defaultPreload: 'intent', scrollRestoration: true })

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
