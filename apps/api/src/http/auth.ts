import type { AuthReply, Endpoint } from '@subtext/accounts'
import { type ErrorCode, ServiceError, validationError } from '@subtext/contracts'
import { readCookie } from '@subtext/core/accounts'
import { clientNetwork } from '@subtext/runtime'
import type { Express, Request, Response } from 'express'
import type { ApiContext } from '../context.ts'
import { translateError } from './errors.ts'
import { MAX_ISSUES, parsePart } from './issues.ts'
import { hasNoBody, readJsonBody } from './json-body.ts'
import { refuseMethod } from './mount.ts'
import { changesNothing, isFromElsewhere, isFromOwnPage } from './own-origin.ts'
import { sendPlainPage } from './plain-page.ts'
import { sendError } from './reply.ts'

const PREFIX = '/auth'
const MAX_BODY_BYTES = 16 * 1_024

/**
 * Mounts sign-up and sign-in. Failures have the usual envelope and, for clients of better-auth, its `code` and `message`
 * beside it.
 */
export function mountAuth(app: Express, ctx: ApiContext): void {
  app.all(`${PREFIX}/{*path}`, async (request, response) => {
    try {
      await serve(ctx, request, response)
    } catch (thrown) {
      const error = translateError(thrown)
      if (error.status >= 500) throw thrown
      sendError(ctx, response, error, { code: error.code, message: error.message })
    }
  })
}

async function serve(ctx: ApiContext, request: Request, response: Response): Promise<void> {
  if (!ctx.signIn) throw new ServiceError('NOT_FOUND')
  const { findEndpoints } = await import('@subtext/accounts')
  const path = request.path.slice(PREFIX.length)
  const endpoints = findEndpoints(path)
  if (endpoints.length === 0) throw new ServiceError('NOT_FOUND')
  // Programs that check links before people follow them must not change anything.
  if (request.method === 'HEAD' && endpoints.some(({ method }) => method === 'GET')) {
    response.end()
    return
  }
  const endpoint = endpoints.find(({ method }) => method === request.method)
  if (!endpoint)
    return refuseMethod(
      response,
      endpoints.map(({ method }) => method),
    )
  assertOwnPage(ctx, request)
  const body = await readBody(endpoint, request, response)
  const address = request.ip ?? ''
  const queryAt = request.originalUrl.indexOf('?')
  const search = queryAt < 0 ? '' : request.originalUrl.slice(queryAt)
  const { headers } = request
  const service = await ctx.signIn.load()
  const reply = await service.handle(endpoint, {
    path,
    search,
    headers,
    body,
    address,
    network: clientNetwork(address),
  })
  send(ctx, response, reply)
}

/** Throws `FORBIDDEN_ORIGIN` if the page of another site has sent the request. Programs without a session send no `Origin`. */
function assertOwnPage(ctx: ApiContext, { method, headers }: Request): void {
  if (changesNothing(method)) return
  const hasSession = readCookie(headers.cookie, ctx.signIn?.cookieName ?? '') !== undefined
  if (headers.origin === undefined && !hasSession && !isFromElsewhere(headers)) return
  if (!isFromOwnPage(ctx.http.ownOrigins, headers)) throw new ServiceError('FORBIDDEN_ORIGIN')
}

async function readBody(
  { body: schema }: Endpoint,
  request: Request,
  response: Response,
): Promise<Record<string, unknown> | undefined> {
  if (!schema) return undefined
  const body = hasNoBody(request) ? {} : await readJsonBody(request, response, MAX_BODY_BYTES)
  const parsed = parsePart({ schema }, body)
  if ('issues' in parsed) throw validationError(parsed.issues.slice(0, MAX_ISSUES))
  return parsed.value as Record<string, unknown>
}

function send(ctx: ApiContext, response: Response, reply: AuthReply): void {
  for (const [name, value] of reply.headers) {
    if (name === 'set-cookie') response.append(name, value)
    else response.setHeader(name, value)
  }
  response.status(reply.status)
  if (reply.html !== null) sendPlainPage(response, reply.html)
  else if (reply.status >= 400) refuse(ctx, response, reply)
  else if (reply.json === undefined) response.end()
  else response.json(reply.json)
}

const CODES: Record<number, ErrorCode> = { 401: 'UNAUTHORIZED', 403: 'FORBIDDEN_ORIGIN', 404: 'NOT_FOUND' }
const WRONG_PASSWORD =
  'The email address or the password is wrong. If you have just signed up, follow the link in your inbox first.'

const MESSAGES: Record<string, string> = {
  INVALID_TOKEN: 'This link no longer works: it has expired or has been used. Ask for a new one.',
  PROVIDER_NOT_FOUND: 'Nobody can sign in with this provider here. The sign-in page shows the ones that are set up.',
}

/** Translates an error of better-auth. */
function refuse(ctx: ApiContext, response: Response, { status, json }: AuthReply): void {
  const { code = '', message: given = '' } = (json ?? {}) as { code?: string; message?: string }
  const message = status === 401 ? WRONG_PASSWORD : (MESSAGES[code] ?? given)
  if (status >= 500) throw new ServiceError('INTERNAL_ERROR', { cause: new Error(`${code} ${given}`) })
  const known = CODES[status]
  const error = known
    ? new ServiceError(known, { message })
    : validationError([{ path: fieldOf(code), message, code: code.toLowerCase() }])
  sendError(ctx, response, error, { code, message })
}

/** Returns the field that an error of better-auth is about. */
function fieldOf(code: string): string {
  if (code === 'INVALID_TOKEN') return 'token'
  return code.includes('PASSWORD') ? 'password' : ''
}
