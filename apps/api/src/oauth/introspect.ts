import { ServiceError } from '@subtext/contracts'
import { isApiKey } from '@subtext/core/api-keys'
import type { Request, Response } from 'express'
import type { ApiContext } from '../context.ts'
import { readParameters } from './parameters.ts'
import { readForm } from './read-form.ts'

/**
 * Returns whether an access token or an API key is valid (RFC 7662). Needs no authentication and counts no failures, because neither
 * can be guessed: the MCP server, which asks for all of its clients, counts them by the client's address.
 */
export async function introspect(ctx: ApiContext, request: Request, response: Response): Promise<void> {
  const token = readParameters(await readForm(request, response)).require('token')
  const active = isApiKey(token) ? await describeKey(ctx, token) : await describeToken(ctx, token)
  response.json(active ? { active: true, ...active } : { active: false })
}

async function describeKey({ verifyKey }: ApiContext, key: string): Promise<object | null> {
  try {
    const { scopes } = await verifyKey(key)
    return { scope: scopes.join(' '), token_type: 'Bearer' }
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'UNAUTHORIZED') return null
    throw error
  }
}

async function describeToken({ oauth, http }: ApiContext, token: string): Promise<object | null> {
  const holder = await oauth?.describe(token)
  if (!holder) return null
  return {
    scope: holder.scopes.join(' '),
    client_id: holder.clientId,
    token_type: 'Bearer',
    exp: Math.floor(holder.expiresAt.getTime() / 1_000),
    aud: holder.resource,
    iss: http.publicBaseUrl,
  }
}
