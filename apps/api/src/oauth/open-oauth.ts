import type { Context } from '@subtext/core/context'
import { createMetadataFetcher, createTokenVerifier, type FetchMetadata, type TokenVerifier } from '@subtext/core/oauth'
import { mcpUrlsOf } from '@subtext/runtime'
import type { ApiEnv } from '../env.ts'

/** Access tokens for connected applications, which use the API through the MCP server. */
export interface OAuth extends TokenVerifier {
  fetchMetadata: FetchMetadata
  /** URLs of the MCP server. Tokens are issued for the first one, whichever of them a client names. */
  resources: readonly [string, ...string[]]
}

export function openOAuth(env: ApiEnv, ctx: Pick<Context, 'db' | 'clock'>): OAuth {
  const resources = mcpUrlsOf(env)
  return {
    ...createTokenVerifier(ctx, resources[0]),
    fetchMetadata: createMetadataFetcher({ allowPrivate: env.WEBHOOK_ALLOW_PRIVATE }),
    resources,
  }
}
