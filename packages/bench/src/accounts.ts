import { randomBytes } from 'node:crypto'
import { hashApiKey } from '@subtext/core/api-keys'
import { v7 as newId } from 'uuid'

export interface BenchAccount {
  userId: string
  key: string
}

interface Database {
  query(text: string, values: unknown[]): Promise<unknown>
}

/** Creates users with one key each, the same in every database. */
export async function createAccounts(databases: Database[], count: number, scopes: string[]): Promise<BenchAccount[]> {
  const accounts = Array.from({ length: count }, () => ({
    userId: newId(),
    key: `sk_${randomBytes(32).toString('hex')}`,
  }))
  const values = [
    accounts.map(({ userId }) => userId),
    accounts.map(() => newId()),
    accounts.map(({ key }) => hashApiKey(key)),
    scopes,
  ]
  for (const database of databases) await database.query(INSERT, values)
  return accounts
}

const INSERT = `WITH input AS (
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::bytea[]) AS u(user_id, key_id, hash)
), made AS (
  INSERT INTO users (id, email, plan) SELECT user_id, user_id || '@example.org', 'pro' FROM input
)
INSERT INTO api_keys (id, user_id, hash, prefix, last_four, scopes)
SELECT key_id, user_id, hash, 'sk_bench', 'last', $4 FROM input`
