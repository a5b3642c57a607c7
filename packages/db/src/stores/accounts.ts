import type { Plan, Scope } from '@subtext/contracts'
import type { Db, Sql } from '../client.ts'

export interface User {
  id: string
  email: string
  plan: Plan
}

/** Makes the user, or moves an existing one of that address to `plan`. */
export const upsertUser = (db: Db, user: User): Promise<User> =>
  db.prisma.user.upsert({
    where: { email: user.email },
    create: user,
    update: { plan: user.plan },
    select: { id: true, email: true, plan: true },
  })

export const findUserByEmail = (db: Db, email: string): Promise<User | null> =>
  db.prisma.user.findUnique({ where: { email }, select: { id: true, email: true, plan: true } })

export interface NewApiKey {
  id: string
  userId: string
  /** SHA-256 of the whole key. */
  hash: Uint8Array<ArrayBuffer>
  prefix: string
  lastFour: string
  scopes: Scope[]
}

export async function insertApiKey(db: Db, key: NewApiKey): Promise<void> {
  await db.prisma.apiKey.create({ data: key })
}

export interface KeyHolder {
  userId: string
  apiKeyId: string
  plan: Plan
  scopes: Scope[]
  expiresAt: Date | null
}

/** Who holds the key with this hash; null when it is unknown, disabled or revoked. Expiry is the caller's to judge. */
export async function findKeyHolder(sql: Sql, hash: Uint8Array): Promise<KeyHolder | null> {
  const { rows } = await sql.query<KeyHolder>(
    `SELECT k.user_id AS "userId", k.id AS "apiKeyId", u.plan, k.scopes, k.expires_at AS "expiresAt"
     FROM api_keys k JOIN users u ON u.id = k.user_id
     WHERE k.hash = $1 AND k.disabled_at IS NULL AND k.revoked_at IS NULL`,
    [hash],
  )
  return rows[0] ?? null
}
