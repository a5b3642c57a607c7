import type { Plan, Scope } from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import type { OwnQuota } from '../plans/own-quota.ts'

/** The access that a person gives an application. */
export interface Consent {
  userId: string
  clientId: string
  clientName: string
  redirectUri: string
  scopes: Scope[]
  resource: string
}

export interface StoredCode extends Consent {
  challenge: string
  expiresAt: Date
  /** Set if the code was used before. */
  usedAt: Date | null
  grantId: string | null
}

/** Finds a code and keeps other transactions from using it, or deleting its account, until this one ends. */
export async function lockOAuthCode(sql: Sql, hash: Uint8Array): Promise<StoredCode | null> {
  // Locks the account first, as its deletion does.
  const { rows } = await sql.query<StoredCode>(
    `WITH account AS MATERIALIZED (
       SELECT id FROM users WHERE id = (SELECT user_id FROM oauth_codes WHERE hash = $1) FOR NO KEY UPDATE
     )
     SELECT user_id AS "userId", client_id AS "clientId", client_name AS "clientName", redirect_uri AS "redirectUri", scopes,
       resource, challenge, expires_at AS "expiresAt", used_at AS "usedAt", grant_id AS "grantId"
     FROM oauth_codes WHERE hash = $1 AND user_id = (SELECT id FROM account) FOR UPDATE`,
    [hash],
  )
  return rows[0] ?? null
}

/** Records the grant that a code was exchanged for. Returns false if the code was used before. */
export async function markCodeUsed(
  sql: Sql,
  hash: Uint8Array,
  { grantId, now }: { grantId: string; now: Date },
): Promise<boolean> {
  const { rowCount } = await sql.query(
    'UPDATE oauth_codes SET used_at = $2, grant_id = $3 WHERE hash = $1 AND used_at IS NULL',
    [hash, now, grantId],
  )
  return rowCount === 1
}

// Repeatedly connecting an application must not accumulate usable grants.
const INSERT_GRANT = `
WITH surplus AS (
  SELECT id FROM oauth_grants WHERE user_id = $2 AND revoked_at IS NULL ORDER BY id DESC OFFSET $10
), ended AS (
  UPDATE oauth_grants SET revoked_at = $8 WHERE id = ANY (ARRAY(SELECT id FROM surplus)) AND revoked_at IS NULL
)
INSERT INTO oauth_grants (id, user_id, client_id, client_name, redirect_uri, scopes, resource, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`

/** Stores a grant, and revokes the oldest ones of the person if there are more than `max`. */
export async function insertOAuthGrant(
  sql: Sql,
  grant: Consent & { id: string; now: Date; expiresAt: Date },
  max: number,
): Promise<void> {
  const { id, userId, clientId, clientName, redirectUri, scopes, resource, now, expiresAt } = grant
  const values = [id, userId, clientId, clientName, redirectUri, scopes, resource, now, expiresAt, max - 1]
  await sql.query(INSERT_GRANT, values)
}

export interface NewToken {
  hash: Uint8Array
  kind: 'access' | 'refresh'
  scopes: Scope[]
  expiresAt: Date
}

/** Stores tokens of a grant, which lives as long as the last of them. Those that exist stay as they are. */
export async function insertOAuthTokens(sql: Sql, grantId: string, tokens: NewToken[], now: Date): Promise<void> {
  for (const { hash, kind, scopes, expiresAt } of tokens) {
    await sql.query(
      `INSERT INTO oauth_tokens (hash, grant_id, kind, scopes, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (hash) DO NOTHING`,
      [hash, grantId, kind, scopes, now, expiresAt],
    )
  }
  const last = new Date(Math.max(...tokens.map(({ expiresAt }) => expiresAt.getTime())))
  await sql.query('UPDATE oauth_grants SET expires_at = greatest(expires_at, $2) WHERE id = $1', [grantId, last])
}

export interface RefreshableGrant {
  grantId: string
  userId: string
  clientId: string
  resource: string
  scopes: Scope[]
  revokedAt: Date | null
  /** Whether the account is suspended. */
  suspended: boolean
  expiresAt: Date
  /** Set if the refresh token was used before. */
  usedAt: Date | null
  /** What its successor was derived with. */
  successorSalt: Buffer<ArrayBuffer> | null
}

/** Finds a refresh token and its grant, and keeps other transactions from using either until this one ends. */
export async function lockRefreshToken(sql: Sql, hash: Uint8Array): Promise<RefreshableGrant | null> {
  const { rows } = await sql.query<RefreshableGrant>(
    `SELECT g.id AS "grantId", g.user_id AS "userId", g.client_id AS "clientId", g.resource, g.scopes,
       g.revoked_at AS "revokedAt", t.expires_at AS "expiresAt", t.used_at AS "usedAt",
       t.successor_salt AS "successorSalt",
       (SELECT u.suspended_at IS NOT NULL FROM users u WHERE u.id = g.user_id) AS suspended
     FROM oauth_tokens t JOIN oauth_grants g ON g.id = t.grant_id
     WHERE t.hash = $1 AND t.kind = 'refresh' FOR UPDATE OF t, g`,
    [hash],
  )
  return rows[0] ?? null
}

/** Marks a refresh token as used. Returns false if it was used before. */
export async function markTokenUsed(
  sql: Sql,
  hash: Uint8Array,
  { successorSalt, now }: { successorSalt: Uint8Array; now: Date },
): Promise<boolean> {
  const { rowCount } = await sql.query(
    'UPDATE oauth_tokens SET used_at = $2, successor_salt = $3 WHERE hash = $1 AND used_at IS NULL',
    [hash, now, successorSalt],
  )
  return rowCount === 1
}

/** Returns whether a refresh token exists and was not used. */
export async function isTokenUnused(sql: Sql, hash: Uint8Array): Promise<boolean> {
  const { rowCount } = await sql.query('SELECT FROM oauth_tokens WHERE hash = $1 AND used_at IS NULL', [hash])
  return rowCount === 1
}

/** Revokes a grant: none of its tokens works any more. */
export async function revokeOAuthGrant(sql: Sql, grantId: string, now: Date): Promise<void> {
  await sql.query('UPDATE oauth_grants SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL', [grantId, now])
}

/** The person for whom the holder of an access token may act. */
export interface TokenHolder {
  grantId: string
  userId: string
  plan: Plan
  ownQuota: OwnQuota
  scopes: Scope[]
  clientId: string
  resource: string
  expiresAt: Date
  lastUsedAt: Date | null
}

/**
 * Finds the holder of an access token. Returns null if it is unknown, revoked, expired, or for another resource, or if the account is
 * suspended.
 */
export async function findTokenHolder(
  sql: Sql,
  { hash, resource }: { hash: Uint8Array; resource: string },
  now: Date,
): Promise<TokenHolder | null> {
  const { rows } = await sql.query<TokenHolder>(
    `SELECT g.id AS "grantId", g.user_id AS "userId", u.plan, t.scopes, g.client_id AS "clientId", g.resource,
       jsonb_build_object('daily', u.quota_daily, 'monthly', u.quota_monthly) AS "ownQuota",
       t.expires_at AS "expiresAt", g.last_used_at AS "lastUsedAt"
     FROM oauth_tokens t JOIN oauth_grants g ON g.id = t.grant_id JOIN users u ON u.id = g.user_id
     WHERE t.hash = $1 AND t.kind = 'access' AND t.expires_at > $2 AND g.revoked_at IS NULL AND g.resource = $3
       AND u.deleted_at IS NULL AND u.suspended_at IS NULL`,
    [hash, now, resource],
  )
  return rows[0] ?? null
}

/** Records that a grant was used. */
export async function recordGrantUse(sql: Sql, grantId: string, now: Date): Promise<void> {
  await sql.query(
    'UPDATE oauth_grants SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)',
    [grantId, now],
  )
}

/** Records that someone has connected a client, so that it is kept for longer. */
export async function recordClientUse(sql: Sql, id: string, now: Date): Promise<void> {
  await sql.query('UPDATE oauth_clients SET used_at = $2 WHERE id::text = $1', [id, now])
}
