import { API_PREFIX, ROUTES, type RouteShape, type ServiceIndex, type service, TAGS, tagOf } from '@subtext/contracts'
import type { Handlers } from '../http/mount.ts'

function buildServiceIndex(origin: string, routes: RouteShape[]): ServiceIndex {
  const base = `${origin}${API_PREFIX}`
  return {
    name: 'Subtext',
    description: 'Turns public videos into transcripts and summaries.',
    documentation: {
      reference: `${base}/docs`,
      quick_start: `${base}/docs/guides/quick-start`,
      errors: `${base}/docs/errors`,
      openapi: `${base}/openapi.json`,
      llms: `${origin}/llms.txt`,
    },
    resources: Object.entries(TAGS)
      .filter(([name]) => routes.some((route) => tagOf(route) === name))
      .map(([name, description]) => ({
        name,
        description,
        operations: routes
          .filter((route) => tagOf(route) === name)
          .map(({ method, path, operationId, summary }) => ({
            method: method.toUpperCase() as Uppercase<typeof method>,
            url: `${base}${path}`,
            operation_id: operationId,
            summary,
          })),
      })),
  }
}

export const serviceHandlers: Handlers<typeof service> = {
  // The routes for sessions are useless where sign-in is disabled.
  index: async ({ http, signIn }) => ({
    data: buildServiceIndex(http.publicBaseUrl, signIn ? ROUTES : ROUTES.filter(({ access }) => access !== 'session')),
  }),
}
