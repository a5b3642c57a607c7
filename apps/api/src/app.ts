import { API_PREFIX, buildOpenApi, ServiceError, videos } from '@subtext/contracts'
import express, { type Express, type RequestHandler } from 'express'
import helmet from 'helmet'
import type { ApiContext } from './context.ts'
import { videoHandlers } from './handlers/videos.ts'
import { mountDocs } from './http/docs.ts'
import { handleError } from './http/errors.ts'
import { mountHealth } from './http/health.ts'
import { mount, refuseOtherMethods } from './http/mount.ts'
import { requestContext } from './http/request-context.ts'
import { ROUTES } from './routes.ts'

/** The middlewares in order, then the routes; it does not listen. */
export function createApp(ctx: ApiContext): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('trust proxy', ctx.http.trustProxyHops)
  app.set('query parser', 'simple')
  app.use(requestContext(ctx))
  app.use(helmet())
  mountHealth(app, ctx)
  if (ctx.http.httpsOnly) app.use(requireHttps)

  const openApi = buildOpenApi(ROUTES, ctx.http.publicBaseUrl)
  app.get(`${API_PREFIX}/openapi.json`, (_request, response) => {
    response.json(openApi)
  })
  refuseOtherMethods(app, `${API_PREFIX}/openapi.json`, ['GET'])
  mountDocs(app, ROUTES)
  mount(app, ctx, videos, videoHandlers)
  app.use(() => {
    throw new ServiceError('NOT_FOUND')
  })
  app.use(handleError(ctx))
  return app
}

/** Never a redirect: it would hide that a key has just travelled in the clear. */
const requireHttps: RequestHandler = (request, _response, next) => {
  if (!request.secure) throw new ServiceError('HTTPS_REQUIRED')
  next()
}
