import { includesFeature, PLANS, ServiceError } from '@subtext/contracts'
import { getAccount, recentUntil } from '@subtext/core/accounts'
import type { SignedInActor } from '@subtext/core/context'
import {
  allowsRedirect,
  createCode,
  describeRedirect,
  findClient,
  isChallenge,
  type OAuthClient,
  OAuthError,
  policySourceOf,
} from '@subtext/core/oauth'
import type { Request, Response } from 'express'
import type { ApiContext } from '../context.ts'
import { isFromOwnPage } from '../http/own-origin.ts'
import { confirmIdentity } from './confirm-identity.ts'
import { renderConsent, renderRefusal, sendConsentPage } from './consent-page.ts'
import type { OAuth } from './open-oauth.ts'
import { ALL_SCOPES, type Parameters, readParameters, selectResource, selectScopes } from './parameters.ts'
import { readForm } from './read-form.ts'

export const AUTHORIZE_PATH = '/auth/oauth/authorize'
const NO_KEYS = 'Your plan does not include access for applications. Ask the operator of this service for another plan.'

type OAuthContext = ApiContext & { oauth: OAuth }

/**
 * Asks the person who has signed in whether an application may act for them (GET), and sends them back to it with a code or a
 * refusal (POST). Nobody is sent to an address that the client has not registered.
 */
export async function authorize(ctx: OAuthContext, request: Request, response: Response): Promise<void> {
  const session = await ctx.signIn?.verify(request.headers.cookie)
  if (!session) {
    if (request.method === 'POST') throw new ServiceError('UNAUTHORIZED', { message: 'Sign in first.' })
    // The client's document is fetched only for people who have signed in.
    return response.redirect(302, signInPath(request))
  }
  const { actor } = session
  if (request.method === 'POST' && !isFromOwnPage(ctx.http.ownOrigins, request.headers)) {
    throw new ServiceError('FORBIDDEN_ORIGIN')
  }
  try {
    const parameters = readParameters(queryOf(request))
    const { client, redirectUri } = await identifyClient(ctx, parameters)
    if (!includesFeature('api_keys')(PLANS[actor.plan])) return sendConsentPage(response, 403, renderRefusal(NO_KEYS))
    const back = (values: Record<string, string>) => addParameters(ctx, redirectUri, parameters, values)
    const wanted = readWish(ctx, parameters)
    if (wanted instanceof OAuthError) {
      return response.redirect(303, back({ error: wanted.code, error_description: wanted.message }))
    }
    if (request.method === 'GET') return await askForConsent(ctx, { actor, client, redirectUri, ...wanted }, response)
    const form = readParameters(await readForm(request, response))
    if (form.get('decision') !== 'allow') return response.redirect(303, back({ error: 'access_denied' }))
    const confirmed = await confirmIdentity(ctx, actor, request, form.get('password'))
    if ('problem' in confirmed) {
      if (request.headers.accept?.includes('text/html') !== true) throw confirmed.error
      const { problem, error } = confirmed
      return await askForConsent(ctx, { actor, client, redirectUri, ...wanted, problem }, response, error.status)
    }
    const consent = { clientId: client.id, clientName: client.name, redirectUri, ...wanted }
    response.redirect(303, back({ code: await createCode(ctx, confirmed.actor, consent) }))
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    sendConsentPage(response, 400, renderRefusal(error.message))
  }
}

/** Returns the path at which to sign in and come back. Sign-in accepts only paths in which everything else is encoded. */
const signInPath = (request: Request): string =>
  `/sign-in?next=${encodeURIComponent(`${AUTHORIZE_PATH}?${new URLSearchParams(queryOf(request))}`)}`

const queryOf = ({ originalUrl }: Request): string =>
  originalUrl.includes('?') ? originalUrl.slice(originalUrl.indexOf('?') + 1) : ''

/** Throws `OAuthError` if it is not certain that the address belongs to the client. */
async function identifyClient(
  { db, clock, oauth }: OAuthContext,
  parameters: Parameters,
): Promise<{ client: OAuthClient; redirectUri: string }> {
  const { fetchMetadata } = oauth
  const client = await findClient({ db, clock, fetchMetadata }, parameters.require('client_id'))
  const redirectUri = parameters.require('redirect_uri')
  if (allowsRedirect(client, redirectUri)) return { client, redirectUri }
  throw new OAuthError('invalid_request', 'The application has not registered the address to which you would be sent.')
}

/** Returns what a client asks for, or why it cannot have it. */
function readWish({ oauth }: OAuthContext, parameters: Parameters) {
  if (parameters.get('response_type') !== 'code') {
    return new OAuthError('unsupported_response_type', '`response_type` must be `code`.')
  }
  const challenge = parameters.get('code_challenge') ?? ''
  if (parameters.get('code_challenge_method') !== 'S256' || !isChallenge(challenge)) {
    return new OAuthError('invalid_request', 'PKCE is required, with `code_challenge_method=S256`.')
  }
  const scopes = selectScopes(parameters.get('scope')) ?? ALL_SCOPES
  try {
    return { challenge, scopes, resource: selectResource(oauth, parameters.resources) ?? oauth.resources[0] }
  } catch (error) {
    if (error instanceof OAuthError) return error
    throw error
  }
}

/** Adds the response to the client's address, including the parameters that prevent mix-up attacks (RFC 9207) and forgery. */
function addParameters(
  ctx: ApiContext,
  redirectUri: string,
  parameters: Parameters,
  values: Record<string, string>,
): string {
  const url = new URL(redirectUri)
  const state = parameters.get('state')
  const all = { ...values, ...(state !== undefined && { state }), iss: ctx.http.publicBaseUrl }
  for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value)
  return url.href
}

interface Asked {
  actor: SignedInActor
  client: OAuthClient
  redirectUri: string
  scopes: readonly string[]
  /** Why the person is asked again. */
  problem?: string | undefined
}

async function askForConsent(
  ctx: OAuthContext,
  { actor, client, redirectUri, scopes, problem }: Asked,
  response: Response,
  status = 200,
): Promise<void> {
  const { email, signInWays } = await getAccount(ctx, actor)
  const confirmation = recentUntil(actor) < ctx.clock() && {
    hasPassword: signInWays.includes('password'),
    signIn: signInPath(response.req),
    problem,
  }
  const html = renderConsent({
    name: client.name,
    documentUrl: client.id.startsWith('http') ? client.id : null,
    place: describeRedirect(redirectUri),
    scopes,
    email,
    action: response.req.originalUrl,
    confirmation: confirmation || undefined,
  })
  sendConsentPage(response, status, html, [policySourceOf(redirectUri)])
}
