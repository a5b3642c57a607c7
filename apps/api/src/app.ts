import {
  API_PREFIX,
  account,
  batches,
  buildOpenApi,
  chats,
  deletion,
  deriving,
  digests,
  estimates,
  exporting,
  feeds,
  following,
  imports,
  infographics,
  library,
  libraryChats,
  lists,
  operatedAccounts,
  operations,
  ROUTES,
  receipts,
  ServiceError,
  service,
  sources,
  subscriptions,
  tables,
  templates,
  thumbnails,
  usage,
  videos,
  webhooks,
} from '@subtext/contracts'
import { findVideoUrlIssues } from '@subtext/core/batches'
import { DOCS_PATH } from '@subtext/docs'
import express, { type Express } from 'express'
import type { ApiContext } from './context.ts'
import { accountHandlers } from './handlers/account.ts'
import { batchHandlers } from './handlers/batches.ts'
import { chatHandlers, libraryChatHandlers } from './handlers/chats.ts'
import { deletionHandlers } from './handlers/deletion.ts'
import { derivingHandlers } from './handlers/deriving.ts'
import { digestHandlers } from './handlers/digests.ts'
import { estimateHandlers } from './handlers/estimates.ts'
import { exportingHandlers } from './handlers/exporting.ts'
import { feedHandlers } from './handlers/feeds.ts'
import { followingHandlers } from './handlers/following.ts'
import { importHandlers } from './handlers/importing.ts'
import { infographicHandlers } from './handlers/infographics.ts'
import { libraryHandlers } from './handlers/library.ts'
import { listHandlers } from './handlers/list.ts'
import { operatedAccountHandlers } from './handlers/operated-accounts.ts'
import { operationHandlers } from './handlers/operations.ts'
import { receiptHandlers } from './handlers/receipts.ts'
import { serviceHandlers } from './handlers/service.ts'
import { sourceHandlers } from './handlers/sources.ts'
import { subscriptionHandlers } from './handlers/subscriptions.ts'
import { tableHandlers } from './handlers/tables.ts'
import { templateHandlers } from './handlers/templates.ts'
import { thumbnailHandlers } from './handlers/thumbnails.ts'
import { usageHandlers } from './handlers/usage.ts'
import { videoHandlers } from './handlers/videos.ts'
import { webhookHandlers } from './handlers/webhooks.ts'
import { mountAuth } from './http/auth.ts'
import { compress } from './http/compress.ts'
import { countRequests } from './http/count-requests.ts'
import { mountDashboard } from './http/dashboard.ts'
import { mountDocs } from './http/docs.ts'
import { handleError } from './http/errors.ts'
import { mountHealth } from './http/health.ts'
import { requireHttps } from './http/https.ts'
import { identify } from './http/identify.ts'
import { mount, refuseOtherMethods } from './http/mount.ts'
import { findNearestPath, listKnownPaths } from './http/nearest-path.ts'
import { requestContext } from './http/request-context.ts'
import { mountSamples } from './http/samples.ts'
import { securityHeaders } from './http/security-headers.ts'
import { mountStopEmails } from './http/stop-emails.ts'
import { mountIntrospection, mountOAuth } from './oauth/mount-oauth.ts'

const OPENAPI_PATH = `${API_PREFIX}/openapi.json`
const OUTSIDE_OF_API = new RegExp(`^(?!${API_PREFIX}/)`)

/** Creates the app: the middleware in order, then the routes. Does not listen. */
export function createApp(ctx: ApiContext): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('trust proxy', ctx.http.trustProxyHops)
  app.set('query parser', 'simple')
  app.use(requestContext(ctx))
  app.use(securityHeaders(ctx.http.httpsOnly))
  // Replies of the API are compressed where they are written.
  app.use([OUTSIDE_OF_API, OPENAPI_PATH, DOCS_PATH], compress)
  mountHealth(app, ctx)
  app.use(API_PREFIX, countRequests(ctx))
  const tls = ctx.http.httpsOnly ? [requireHttps(ctx.http.trustProxyHops)] : []
  mountIntrospection(app, ctx, tls)
  if (ctx.http.sampleVideos) mountSamples(app)
  if (ctx.http.hasDashboard) mountDashboard(app, tls)
  app.use(identify(ctx))
  for (const require of tls) app.use(require)

  const routes = ctx.signIn ? ROUTES : ROUTES.filter(({ access }) => access !== 'session')
  let document: object | undefined
  // Built on the first request, because few processes get one and building it takes a tenth of the start.
  const readOpenApi = (): object => {
    document ??= buildOpenApi(routes, ctx.http.publicBaseUrl)
    return document
  }
  // Each path is compared with those before it, so what is read most often comes first.
  mount(app, ctx, videos, videoHandlers)
  mount(app, ctx, imports, importHandlers)
  mount(app, ctx, lists, listHandlers)
  mount(app, ctx, thumbnails, thumbnailHandlers)
  mount(app, ctx, following, followingHandlers)
  mount(app, ctx, infographics, infographicHandlers)
  mount(app, ctx, exporting, exportingHandlers)
  mount(app, ctx, deriving, derivingHandlers)
  mount(app, ctx, estimates, estimateHandlers, { batch: findVideoUrlIssues })
  mount(app, ctx, chats, chatHandlers)
  mount(app, ctx, batches, batchHandlers, { submit: findVideoUrlIssues })
  mount(app, ctx, sources, sourceHandlers)
  mountSubscriptions(app, ctx)
  mountLibrary(app, ctx)
  mount(app, ctx, usage, usageHandlers)
  mount(app, ctx, receipts, receiptHandlers)
  mount(app, ctx, webhooks, webhookHandlers)
  if (ctx.signIn) {
    mount(app, ctx, account, accountHandlers)
    mount(app, ctx, operations, operationHandlers)
    mount(app, ctx, operatedAccounts, operatedAccountHandlers)
  }
  mount(app, ctx, service, serviceHandlers)
  // Last, because its path matches those of others.
  mount(app, ctx, deletion, deletionHandlers)
  app.get(OPENAPI_PATH, (_request, response) => {
    response.json(readOpenApi())
  })
  refuseOtherMethods(app, OPENAPI_PATH, ['GET'])
  mountDocs(app, ctx, readOpenApi)
  mountOAuth(app, ctx)
  mountAuth(app, ctx)
  refuseUnknownPaths(app, ctx, routes)
  app.use(handleError(ctx))
  return app
}

/** Mounts what follows sources, and where it can be read and stopped. */
function mountSubscriptions(app: Express, ctx: ApiContext): void {
  mount(app, ctx, subscriptions, subscriptionHandlers)
  mount(app, ctx, feeds, feedHandlers)
  mountStopEmails(app, ctx)
}

/** Mounts what is about many videos. */
function mountLibrary(app: Express, ctx: ApiContext): void {
  mount(app, ctx, library, libraryHandlers)
  mount(app, ctx, libraryChats, libraryChatHandlers)
  mount(app, ctx, digests, digestHandlers)
  mount(app, ctx, templates, templateHandlers)
  mount(app, ctx, tables, tableHandlers)
}

/** Responds to every other path with an error that names the nearest one. */
function refuseUnknownPaths(app: Express, ctx: ApiContext, routes: typeof ROUTES): void {
  const knownPaths = listKnownPaths(routes)
  app.use(({ path }) => {
    const nearest = findNearestPath(path, knownPaths)
    const suggestion = nearest === undefined ? '' : ` Did you mean \`${nearest}\`?`
    const message = `There is nothing at this path.${suggestion} For all paths, see ${ctx.http.publicBaseUrl}${API_PREFIX}/docs.`
    throw new ServiceError('NOT_FOUND', { message })
  })
}
