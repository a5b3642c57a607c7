import { ServiceError } from '@subtext/contracts'
import { clientNetwork, isApiKey, isPublicAddress } from '@subtext/runtime'
import type { Request, Response } from 'express'
import type { ApiContext } from '../context.ts'
import { createExhaustedWindows, rateLimited } from '../http/rate-limit.ts'
import { readParameters } from './parameters.ts'
import { readForm } from './read-form.ts'

/** Per hour and network. The MCP server treats tokens as valid that it could not ask about, because the API checks them again. */
const MAX_PER_HOUR = 36_000

/**
 * Creates the endpoint that tells whether an access token or an API key is valid (RFC 7662). Needs no authentication and counts no
 * failures, because neither can be guessed: the MCP server, which asks for all of its clients, counts them by the client's address.
 * Limits how often a public address may ask. An MCP server in the same private network or on the same machine may ask for any number
 * of clients.
 */
export function createIntrospection(ctx: ApiContext) {
  const exhausted = createExhaustedWindows(ctx.clock)
  const assertBelowLimit = async ({ ip = '' }: Request): Promise<void> => {
    if (!isPublicAddress(ip)) return
    const key = `introspection:${clientNetwork(ip)}`
    const refused = exhausted.find(key)
    if (refused) throw rateLimited(refused)
    const { window, exceeded } = await ctx.requestLimits.count(key, MAX_PER_HOUR)
    if (!exceeded) return
    exhausted.add(key, window)
    throw rateLimited(window)
  }
  return async (request: Request, response: Response): Promise<void> => {
    await assertBelowLimit(request)
    const token = readParameters(await readForm(request, response)).require('token')
    const active = isApiKey(token) ? await describeKey(ctx, token) : await describeToken(ctx, token)
    response.json(active ? { active: true, ...active } : { active: false })
  }
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
