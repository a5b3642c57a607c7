import {
  ACCESS_TOKEN_SECONDS,
  OAuthError,
  redeemCode,
  refreshTokens,
  registerClient,
  revokeToken,
  type TokenSet,
} from '@subtext/core/oauth'
import { clientNetwork } from '@subtext/runtime'
import type { Request, Response } from 'express'
import type { ApiContext } from '../context.ts'
import { readJsonBody } from '../http/json-body.ts'
import type { OAuth } from './open-oauth.ts'
import { readParameters, selectResource, selectScopes } from './parameters.ts'
import { readForm } from './read-form.ts'

type OAuthContext = ApiContext & { oauth: OAuth }
const MAX_REGISTRATION_BYTES = 32_768

/** Exchanges codes and refresh tokens for tokens (RFC 6749, sections 4.1.3 and 6). */
export async function issueTokens(ctx: OAuthContext, request: Request, response: Response): Promise<void> {
  const parameters = readParameters(await readForm(request, response))
  const grantType = parameters.require('grant_type')
  if (grantType !== 'authorization_code' && grantType !== 'refresh_token') {
    throw new OAuthError('unsupported_grant_type', '`grant_type` must be `authorization_code` or `refresh_token`.')
  }
  const clientId = parameters.require('client_id')
  const resource = selectResource(ctx.oauth, parameters.resources)
  const tokens =
    grantType === 'authorization_code'
      ? await redeemCode(ctx, {
          code: parameters.require('code'),
          clientId,
          redirectUri: parameters.require('redirect_uri'),
          verifier: parameters.require('code_verifier'),
          resource,
        })
      : await refreshTokens(ctx, {
          refreshToken: parameters.require('refresh_token'),
          clientId,
          resource,
          scopes: selectScopes(parameters.get('scope')),
        })
  response.json(presentTokens(tokens))
}

const presentTokens = ({ accessToken, refreshToken, scopes }: TokenSet) => ({
  access_token: accessToken,
  token_type: 'Bearer',
  expires_in: ACCESS_TOKEN_SECONDS,
  refresh_token: refreshToken,
  scope: scopes.join(' '),
})

/** Revokes the tokens of a connection (RFC 7009). Says nothing about whether there were any. */
export async function revokeTokens(ctx: OAuthContext, request: Request, response: Response): Promise<void> {
  const parameters = readParameters(await readForm(request, response))
  await revokeToken(ctx, parameters.require('token'), parameters.require('client_id'))
  response.json({})
}

/** Registers a client (RFC 7591). */
export async function register(ctx: OAuthContext, request: Request, response: Response): Promise<void> {
  const metadata = await readJsonBody(request, response, MAX_REGISTRATION_BYTES)
  const client = await registerClient(ctx, metadata, clientNetwork(request.ip ?? ''))
  response.status(201).json({
    client_id: client.id,
    client_id_issued_at: Math.floor(ctx.clock().getTime() / 1_000),
    client_name: client.name,
    redirect_uris: client.redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  })
}
