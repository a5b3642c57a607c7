import { ServiceError } from '@subtext/contracts'
import type { Actor, Context } from '../context.ts'
import { assertKeysIncluded } from '../plans/gates.ts'
import { findTokenHolder, recordGrantUse, type TokenHolder } from './oauth-sql.ts'
import { hashToken, isAccessToken } from './tokens.ts'

/** `last_used_at` is accurate to the minute, so that most requests write nothing. */
const RECORD_EVERY_MS = 60_000

export interface TokenVerifier {
  /** Returns who acts with a token. Throws `UNAUTHORIZED`, and `PLAN_UPGRADE_REQUIRED` as long as the plan includes no keys. */
  verify: (token: string) => Promise<Actor>
  /** Returns what is known about a token; null if it is not valid. */
  describe: (token: string) => Promise<TokenHolder | null>
}

/**
 * Creates the check of access tokens for a resource. Nothing is cached: a token that was revoked is refused at once, by every
 * process.
 */
export function createTokenVerifier(ctx: Pick<Context, 'db' | 'clock'>, resource: string): TokenVerifier {
  const describe = async (token: string): Promise<TokenHolder | null> =>
    isAccessToken(token) ? findTokenHolder(ctx.db, { hash: hashToken(token), resource }, ctx.clock()) : null
  return {
    describe,
    async verify(token) {
      const holder = await describe(token)
      if (!holder) throw refuse()
      const now = ctx.clock()
      const { grantId, lastUsedAt, userId, plan, ownQuota, scopes } = holder
      const actor = { userId, apiKeyId: null, plan, ownQuota, scopes }
      // Tokens are as good as keys.
      assertKeysIncluded(actor)
      if (!lastUsedAt || now.getTime() - lastUsedAt.getTime() >= RECORD_EVERY_MS)
        await recordGrantUse(ctx.db, grantId, now)
      return actor
    },
  }
}

const refuse = (): ServiceError =>
  new ServiceError('UNAUTHORIZED', {
    message: 'The access token is not valid: it is unknown, expired, revoked, or was issued for another service.',
  })
