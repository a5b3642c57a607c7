import { OAuthError } from '@subtext/core/oauth'
import type { Express, Request, RequestHandler, Response } from 'express'
import type { ApiContext } from '../context.ts'
import { translateError } from '../http/errors.ts'
import { refuseMethod } from '../http/mount.ts'
import { AUTHORIZE_PATH, authorize } from './authorize.ts'
import { createIntrospection } from './introspect.ts'
import type { OAuth } from './open-oauth.ts'
import { ALL_SCOPES } from './parameters.ts'
import { issueTokens, register, revokeTokens } from './tokens.ts'

const PREFIX = '/auth/oauth'
const METADATA_PATH = '/.well-known/oauth-authorization-server'
const RESOURCE_PATH = '/.well-known/oauth-protected-resource'

type OAuthContext = ApiContext & { oauth: OAuth }
type Handle<C = OAuthContext> = (ctx: C, request: Request, response: Response) => Promise<void>

/** Mounts the authorization server (OAuth 2.1): metadata, consent, tokens, registration and revocation. */
export function mountOAuth(app: Express, ctx: ApiContext): void {
  if (!hasOAuth(ctx)) return
  mountDocument(app, METADATA_PATH, describeServer(ctx))
  // For hosts that also serve the MCP server. This path is inserted before the path of the resource (RFC 9728, section 3.1).
  const resource = describeResource(ctx)
  mountDocument(app, RESOURCE_PATH, resource)
  mountDocument(app, `${RESOURCE_PATH}${new URL(resource.resource).pathname}`, resource)
  app.all(AUTHORIZE_PATH, async (request, response) => {
    // Programs that check links before people follow them get nothing.
    if (request.method === 'HEAD') return void response.end()
    if (!['GET', 'POST'].includes(request.method)) refuseMethod(response, ['GET', 'POST'])
    await authorize(ctx, request, response)
  })
  mountPost(app, ctx, `${PREFIX}/token`, issueTokens)
  mountPost(app, ctx, `${PREFIX}/revoke`, revokeTokens)
  mountPost(app, ctx, `${PREFIX}/register`, register)
}

/**
 * Mounts the endpoint at which the MCP server asks whether a key or token is valid. Mount it before the middleware that counts
 * requests by address, because all of these come from one address; it has a limit of its own.
 */
export function mountIntrospection(app: Express, ctx: ApiContext, before: RequestHandler[]): void {
  const introspect = createIntrospection(ctx)
  mountPost(app, ctx, `${PREFIX}/introspect`, (_ctx, request, response) => introspect(request, response), before)
}

const hasOAuth = (ctx: ApiContext): ctx is OAuthContext => ctx.oauth !== null

/** Browsers may read it from any page: it carries no cookies and no secrets. */
const allowAllOrigins = (response: Response): void => {
  response.setHeader('Access-Control-Allow-Origin', '*')
  response.setHeader('Access-Control-Allow-Headers', 'Content-Type, MCP-Protocol-Version')
  // The policy for the service's own files would keep other pages from reading the response.
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
}

function mountDocument(app: Express, path: string, document: object): void {
  app.all(path, (request, response) => {
    allowAllOrigins(response)
    if (request.method === 'OPTIONS') return void response.status(204).end()
    if (!['GET', 'HEAD'].includes(request.method)) refuseMethod(response, ['GET'])
    response.setHeader('Cache-Control', 'public, max-age=300')
    response.json(document)
  })
}

function mountPost<C extends ApiContext>(
  app: Express,
  ctx: C,
  path: string,
  handle: Handle<C>,
  before: RequestHandler[] = [],
): void {
  app.all(path, ...before, async (request, response) => {
    allowAllOrigins(response)
    response.setHeader('Cache-Control', 'no-store')
    if (request.method === 'OPTIONS') return void response.status(204).end()
    if (request.method !== 'POST') refuseMethod(response, ['POST'])
    try {
      await handle(ctx, request, response)
    } catch (error) {
      sendOAuthError(response, error)
    }
  })
}

/** Responds as RFC 6749, section 5.2, requires, even to errors to which other routes respond with an envelope. */
function sendOAuthError(response: Response, thrown: unknown): void {
  if (thrown instanceof OAuthError) {
    // The status of an unknown client differs, so that clients know to register again.
    response.status(thrown.code === 'invalid_client' ? 401 : 400)
    response.json({ error: thrown.code, error_description: thrown.message })
    return
  }
  const error = translateError(thrown)
  if (error.status >= 500 && error.code === 'INTERNAL_ERROR') throw thrown
  if (error.retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(error.retryAfterSeconds))
  const code = error.status >= 500 ? 'temporarily_unavailable' : 'invalid_request'
  response.status(error.status).json({ error: code, error_description: error.message })
}

function describeServer({ http: { publicBaseUrl } }: ApiContext): object {
  return {
    issuer: publicBaseUrl,
    authorization_endpoint: `${publicBaseUrl}${AUTHORIZE_PATH}`,
    token_endpoint: `${publicBaseUrl}${PREFIX}/token`,
    registration_endpoint: `${publicBaseUrl}${PREFIX}/register`,
    revocation_endpoint: `${publicBaseUrl}${PREFIX}/revoke`,
    introspection_endpoint: `${publicBaseUrl}${PREFIX}/introspect`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    introspection_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    scopes_supported: ALL_SCOPES,
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${publicBaseUrl}/api/v1/docs/guides/mcp`,
  }
}

const describeResource = ({ http, oauth }: OAuthContext) => ({
  resource: oauth.resources[0],
  resource_name: 'Subtext',
  authorization_servers: [http.publicBaseUrl],
  scopes_supported: ALL_SCOPES,
  bearer_methods_supported: ['header'],
})
