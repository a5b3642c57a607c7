import { randomBytes } from 'node:crypto'
import { findUserByEmail, listSigningSecrets, lockWebhookSecrets, replaceWebhookSecret, type Sql } from '@subtext/db'
import { v7 as newId } from 'uuid'
import type { Context } from '../context.ts'

const SECRET_BYTES = 32
const OVERLAP_HOURS = 24

/** `whsec_` and 32 random bytes in base64, as Standard Webhooks writes its secrets. */
const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

async function storeNewSecret(sql: Sql, userId: string): Promise<string> {
  const secret = newSecret()
  await replaceWebhookSecret(sql, { id: newId(), userId, secret, overlapHours: OVERLAP_HOURS })
  return secret
}

/** Replaces the account's secret and returns the new one; null when no user has this address. */
export async function rotateWebhookSecret(ctx: Pick<Context, 'db'>, email: string): Promise<string | null> {
  const user = await findUserByEmail(ctx.db, email)
  if (!user) return null
  return ctx.db.transaction(async (sql) => {
    await lockWebhookSecrets(sql, user.id)
    return storeNewSecret(sql, user.id)
  })
}

/** Secrets to sign an account's deliveries with, the current one first; makes the first one when there is none. */
export async function signingSecrets(ctx: Pick<Context, 'db'>, userId: string): Promise<[string, ...string[]]> {
  const [current, ...former] = await listSigningSecrets(ctx.db, userId)
  if (current) return [current, ...former]
  return ctx.db.transaction(async (sql) => {
    // Other deliveries see the same lack: one of them makes the secret, and it must not replace one made by its owner.
    await lockWebhookSecrets(sql, userId)
    const [made, ...others] = await listSigningSecrets(sql, userId)
    return made ? [made, ...others] : [await storeNewSecret(sql, userId)]
  })
}
