import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Sql } from '@subtext/db'
import { untilBlocked, useTestDatabase } from '@subtext/db/testing'
import { findKeyHolders, insertApiKey } from '../api-keys/keys-sql.ts'
import { insertOAuthGrant } from '../oauth/oauth-sql.ts'
import { redeemCode } from '../oauth/tokens.ts'
import { lockAccount } from './account-sql.ts'
import { markAccountDeleted } from './delete-sql.ts'
import { confirmSignUp } from './sign-ups-sql.ts'

const { db } = useTestDatabase({ maxConnections: 6 })

async function addUser() {
  const userId = randomUUID()
  const email = `${userId}@example.org`
  await db.query(`INSERT INTO users (id, email, plan, email_verified) VALUES ($1, $2, 'pro', true)`, [userId, email])
  return { userId, email }
}

const soon = () => new Date(Date.now() + 60_000)
const newKey = (userId: string) => ({
  id: randomUUID(),
  userId,
  name: null,
  hash: randomBytes(32),
  prefix: 'p',
  lastFour: '0000',
  scopes: ['read' as const],
  expiresAt: null,
  byOperator: false,
})
const consentOf = (userId: string) => ({
  userId,
  clientId: randomUUID(),
  clientName: 'App',
  redirectUri: 'https://app.example/cb',
  scopes: ['read' as const],
  resource: 'https://api.example/mcp',
})

/** Deletes an account after the first statement of a transaction. `ended` resolves when both have ended. */
function deleteDuring(account: { userId: string; email: string }) {
  let deleted: Promise<boolean> | undefined
  const interrupt = (sql: Sql): Sql => ({
    async query<Row>(text: string, values?: unknown[]) {
      const result = await sql.query<Row>(text, values)
      if (!deleted) {
        deleted = markAccountDeleted(db, account, new Date())
        await Promise.race([untilBlocked(db), deleted])
      }
      return result
    },
  })
  return {
    db: { ...db, transaction: <T>(work: (sql: Sql) => Promise<T>) => db.transaction((sql) => work(interrupt(sql))) },
    ended: async (work: Promise<unknown>) => Promise.allSettled([work, work.catch(() => {}).then(() => deleted)]),
  }
}

/** Counts what still gives access to an account. */
async function countAccess(userId: string): Promise<Record<string, number>> {
  const { rows } = await db.query<Record<string, number>>(
    `SELECT (SELECT count(*)::int FROM api_keys WHERE user_id = $1 AND revoked_at IS NULL) AS keys,
       (SELECT count(*)::int FROM sessions WHERE user_id = $1) AS sessions,
       (SELECT count(*)::int FROM identities WHERE user_id = $1) AS identities,
       (SELECT count(*)::int FROM oauth_codes WHERE user_id = $1) AS codes,
       (SELECT count(*)::int FROM oauth_grants WHERE user_id = $1 AND revoked_at IS NULL) AS grants`,
    [userId],
  )
  return rows[0] ?? {}
}

const addKey = (sql: Sql, userId: string) => insertApiKey(sql, newKey(userId))
const CREATED: [string, (sql: Sql, userId: string) => Promise<unknown>][] = [
  ['a key', async (sql, userId) => [await lockAccount(sql, userId), await addKey(sql, userId)]],
  ['a key of an operator', addKey],
  [
    'a session',
    (sql, userId) =>
      sql.query(
        `INSERT INTO sessions (id, user_id, token, expires_at, created_at, updated_at) VALUES ($1, $2, $3, $4, now(), now())`,
        [randomUUID(), userId, randomUUID(), soon()],
      ),
  ],
  [
    'a way to sign in',
    (sql, userId) =>
      sql.query(
        `INSERT INTO identities (id, user_id, provider_id, account_id, created_at, updated_at)
         VALUES ($1, $2, 'github', $3, now(), now())`,
        [randomUUID(), userId, randomUUID()],
      ),
  ],
  [
    'an authorization code',
    (sql, userId) =>
      sql.query(
        `INSERT INTO oauth_codes (hash, user_id, client_id, client_name, redirect_uri, scopes, resource, challenge, expires_at)
         VALUES ($1, $2, '', '', '', '{read}', '', '', $3)`,
        [randomBytes(32), userId, soon()],
      ),
  ],
  [
    'a connected application',
    async (sql, userId) => {
      await lockAccount(sql, userId)
      await insertOAuthGrant(sql, { ...consentOf(userId), id: randomUUID(), now: new Date(), expiresAt: soon() }, 10)
    },
  ],
]

const NONE = { keys: 0, sessions: 0, identities: 0, codes: 0, grants: 0 }

test.each(CREATED)('%s that is created while its account is deleted is of no use', async (_, create) => {
  const account = await addUser()
  const deletion = deleteDuring(account)
  const created = deletion.db.transaction((sql) => create(sql, account.userId))
  expect(await deletion.ended(created)).toMatchObject([{ status: 'fulfilled' }, { value: true }])
  expect(await countAccess(account.userId)).toEqual(NONE)
})

test('a key that is created after its account was deleted is of no use', async () => {
  const account = await addUser()
  const [before, after] = [newKey(account.userId), newKey(account.userId)]
  const find = () =>
    findKeyHolders(
      db,
      [before, after].map(({ hash }) => hash.toString('hex')),
    )
  await insertApiKey(db, before)
  expect(await find()).toMatchObject([{ apiKeyId: before.id, plan: 'pro' }, null])
  await markAccountDeleted(db, account, new Date())
  await insertApiKey(db, after)
  expect(await find()).toEqual([null, null])
})

test('an account is deleted while an application exchanges its code', async () => {
  const account = await addUser()
  const [code, verifier] = [randomUUID(), 'v'.repeat(43)]
  const consent = consentOf(account.userId)
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const hash = createHash('sha256').update(code).digest()
  await db.prisma.oAuthCode.create({ data: { ...consent, hash, challenge, expiresAt: soon() } })
  const deletion = deleteDuring(account)
  const ctx = { db: deletion.db, clock: () => new Date() }
  const tokens = redeemCode(ctx, { ...consent, code, verifier })
  expect(await deletion.ended(tokens)).toMatchObject([{ status: 'fulfilled' }, { value: true }])
  expect(await countAccess(account.userId)).toEqual(NONE)
  await expect(redeemCode({ ...ctx, db }, { ...consent, code, verifier })).rejects.toThrow('code is not valid')
})

test('an account is deleted while a sign-up with its address is confirmed', async () => {
  const account = await addUser()
  const tokenHash = randomBytes(32)
  const signUp = { tokenHash, email: account.email, name: '', password: 'hash', createdAt: new Date() }
  await db.prisma.signUp.create({ data: { ...signUp, expiresAt: soon() } })
  const ids = { userId: randomUUID(), identityId: randomUUID() }
  const deletion = deleteDuring(account)
  const confirmed = deletion.db.transaction((sql) => confirmSignUp(sql, tokenHash, ids, new Date()))
  expect(await deletion.ended(confirmed)).toMatchObject([{ value: { outcome: 'taken' } }, { value: true }])
  expect((await db.query('SELECT FROM sign_ups WHERE email = $1', [account.email])).rowCount).toBe(0)
})
