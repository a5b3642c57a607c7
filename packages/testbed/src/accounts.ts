import type { Plan, Scope } from '@subtext/contracts'
import { createApiKey } from '@subtext/core/api-keys'
import { TEST_SECRET_KEY } from '@subtext/core/testing'
import { createSecretBox, rotateWebhookSecret } from '@subtext/core/webhooks'
import type { Db } from '@subtext/db'
import type { PrismaDb } from '@subtext/db/prisma'
import { keyRing } from '@subtext/runtime'

export interface AccountOptions {
  plan?: Plan
  scopes?: Scope[]
}

export interface TestAccount {
  userId: string
  email: string
  key: string
}

/** Creates an account with a key; by default on the pro plan, with the scopes `read` and `write`. */
export async function createTestAccount(
  db: Db,
  email: string,
  { plan = 'pro', scopes = ['read', 'write'] }: AccountOptions = {},
): Promise<TestAccount> {
  const key = await createApiKey({ db }, { email, plan, scopes })
  const { rows } = await db.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [email])
  return { userId: rows[0]?.id ?? '', email, key }
}

/** Gives an account a new webhook secret, and returns it. */
export async function renewWebhookSecret(db: PrismaDb, email: string): Promise<string> {
  const ctx = { db, clock: () => new Date(), secretBox: createSecretBox(keyRing.parse(TEST_SECRET_KEY)) }
  const secret = await rotateWebhookSecret(ctx, email)
  if (secret === null) throw new Error(`There is no account ${email}.`)
  return secret
}
