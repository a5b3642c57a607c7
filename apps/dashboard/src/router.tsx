import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { HomePage } from './pages/home.tsx'
import { Shell } from './ui/shell.tsx'

const root = createRootRoute({ component: Shell })

const routes = [
  createRoute({ getParentRoute: () => root, path: '/', component: HomePage }),
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in',
    component: lazyRouteComponent(() => import('./pages/sign-in.tsx'), 'SignInPage'),
  }),
]

export const router = createRouter({ routeTree: root.addChildren(routes), defaultPreload: 'intent' })
