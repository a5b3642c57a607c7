import type { Scope } from '@subtext/contracts'
import { OAuthError } from '@subtext/core/oauth'
import type { OAuth } from './open-oauth.ts'

const MAX_VALUE_LENGTH = 2_000

/** Parameters of an OAuth request. Only `resource` may be repeated. */
export interface Parameters {
  /** Undefined if absent or empty. */
  get(name: string): string | undefined
  require(name: string): string
  resources: string[]
}

/** Reads parameters from a query or a form. Throws `OAuthError` for one that is repeated, too long, or contains NUL. */
export function readParameters(text: string): Parameters {
  const values = new URLSearchParams(text)
  for (const name of values.keys()) {
    const sent = values.getAll(name)
    if (sent.length > 1 && name !== 'resource') throw new OAuthError('invalid_request', `\`${name}\` was sent twice.`)
    // PostgreSQL text cannot contain NUL.
    if (sent.some((value) => value.length > MAX_VALUE_LENGTH || value.includes('\u0000'))) {
      throw new OAuthError('invalid_request', `\`${name}\` is too long, or contains NUL.`)
    }
  }
  const get = (name: string): string | undefined => values.get(name) || undefined
  return {
    get,
    require(name) {
      const value = get(name)
      if (value === undefined) throw new OAuthError('invalid_request', `\`${name}\` is missing.`)
      return value
    },
    resources: values.getAll('resource').filter(Boolean),
  }
}

/**
 * Returns the resource for which tokens are requested: the MCP server, by the name that tokens are bound to. Undefined if the
 * client has named none. Throws `invalid_target` for anything else.
 */
export function selectResource({ resources }: OAuth, requested: string[]): string | undefined {
  const known = new Set(resources.flatMap((url) => [url, `${url}/`]))
  if (!requested.every((url) => known.has(url))) {
    throw new OAuthError('invalid_target', `\`resource\` must be ${resources[0]}.`)
  }
  return requested.length === 0 ? undefined : resources[0]
}

const GRANTABLE: readonly Scope[] = ['read', 'write']

/**
 * Returns the requested scopes that exist here, or undefined if there are none: clients may also request scopes of other
 * services.
 */
export function selectScopes(requested: string | undefined): Scope[] | undefined {
  const names = new Set(requested?.split(' '))
  const scopes = GRANTABLE.filter((scope) => names.has(scope))
  return scopes.length === 0 ? undefined : scopes
}

export const ALL_SCOPES: Scope[] = [...GRANTABLE]
