import type { Plan } from '@subtext/contracts'
import { firstIdAt, HIGHEST_ID, highestIdAt, type PageRequest, type Sql } from '@subtext/db'
import type { StoredApiKey } from '../api-keys/index.ts'

/** An endpoint whose recent attempts have all failed. */
export interface FailingEndpoint {
  userId: string
  email: string
  url: string
  failingSince: Date
  failedEvents: number
  disabledAt: Date | null
}

// The endpoints are limited before the accounts are looked up.
const LIST_FAILING = `
SELECT e.user_id AS "userId", u.email, e.url, e.failing_since AS "failingSince", e.failed_events AS "failedEvents",
  e.disabled_at AS "disabledAt"
FROM (SELECT * FROM webhook_endpoints ORDER BY updated_at DESC LIMIT $1) e JOIN users u ON u.id = e.user_id
ORDER BY e.updated_at DESC`

/** Lists the failing endpoints of all accounts, latest failure first. */
export const listFailingEndpoints = async (sql: Sql, limit: number): Promise<FailingEndpoint[]> =>
  (await sql.query<FailingEndpoint>(LIST_FAILING, [limit])).rows

export interface DaySpending {
  date: string
  videos: number
  tokens: number
  /** US dollars, exact to 6 decimals. */
  costUsd: number
}

const SUM_DAYS = `
SELECT to_char(starts_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS date, sum(videos)::float8 AS videos,
  sum(input_tokens + output_tokens + cached_input_tokens)::float8 AS tokens, sum(cost_usd)::float8 AS "costUsd"
FROM usage_rollups WHERE span = 'day' AND starts_at >= $1 GROUP BY starts_at`

/** Sums the receipts of all accounts by UTC day. Days without usage are left out; receipts of the last second can be missing. */
export const sumSpendingByDay = async (sql: Sql, since: Date): Promise<DaySpending[]> =>
  (await sql.query<DaySpending>(SUM_DAYS, [since])).rows

export interface ModelSpending {
  model: string
  inputTokens: number
  outputTokens: number
  cachedInputTokens: number
  /** US dollars, exact to 6 decimals. */
  costUsd: number
}

// IDs begin with the time of their creation. Shared work was paid for by the job that it was copied from.
const SUM_MODELS = `
SELECT model, sum(input_tokens)::float8 AS "inputTokens", sum(output_tokens)::float8 AS "outputTokens",
  sum(cached_tokens)::float8 AS "cachedInputTokens", sum(cost_usd)::float8 AS "costUsd"
FROM (
  SELECT model, input_tokens, output_tokens, cached_tokens, cost_usd FROM summaries WHERE id >= $1
  UNION ALL
  SELECT model, input_tokens, output_tokens, cached_tokens, cost_usd FROM job_spendings
  WHERE id >= $1 AND id < $2 AND NOT shared
  UNION ALL
  SELECT answer->>'model', input_tokens, output_tokens, cached_tokens, cost_usd FROM chat_exchanges
  WHERE id >= $1 AND answer IS NOT NULL
) paid
GROUP BY model HAVING sum(input_tokens + output_tokens + cached_tokens) > 0 ORDER BY "costUsd" DESC, model`

/** Sums the costs of language models since that time. Reads every row since then, so keep the range short. */
export const sumSpendingByModel = async (sql: Sql, since: Date, now: Date): Promise<ModelSpending[]> =>
  (await sql.query<ModelSpending>(SUM_MODELS, [firstIdAt(since), highestIdAt(now)])).rows

/** Counts the accounts of each plan. Plans without accounts are left out. */
export const countAccounts = async (sql: Sql): Promise<{ plan: Plan; accounts: number }[]> =>
  (
    await sql.query<{ plan: Plan; accounts: number }>(
      'SELECT plan, count(*)::int AS accounts FROM users WHERE deleted_at IS NULL GROUP BY plan',
    )
  ).rows

export interface KeyCounts {
  active: number
  disabled: number
  expired: number
  revoked: number
}

const COUNT_KEYS = `
SELECT count(*) FILTER (WHERE revoked_at IS NOT NULL)::int AS revoked,
  count(*) FILTER (WHERE revoked_at IS NULL AND disabled_at IS NOT NULL)::int AS disabled,
  count(*) FILTER (WHERE revoked_at IS NULL AND disabled_at IS NULL AND expires_at <= $1)::int AS expired,
  count(*) FILTER (WHERE revoked_at IS NULL AND disabled_at IS NULL AND (expires_at IS NULL OR expires_at > $1))::int AS active
FROM api_keys`

/** Counts all keys by state. */
export async function countKeys(sql: Sql, now: Date): Promise<KeyCounts> {
  const { rows } = await sql.query<KeyCounts>(COUNT_KEYS, [now])
  return rows[0] ?? { active: 0, disabled: 0, expired: 0, revoked: 0 }
}

export interface StoredOperatedAccount {
  id: string
  email: string
  name: string
  plan: Plan
  isOperator: boolean
  emailVerified: boolean
  suspendedAt: Date | null
  createdAt: Date
  jobsAccepted: number
  jobsFailed: number
  /** Keys that are not revoked, newest first. */
  keys: StoredApiKey[]
}

const MAX_KEYS_SHOWN = 25
// Two statements, because a plan for both filters would follow the index of neither. An operator waits for the count.
const existing = (filter: string): string => `FROM users WHERE deleted_at IS NULL AND ${filter}`
const listStatement = (filter: string): string => `
SELECT id, email, name, plan, is_operator AS "isOperator", email_verified AS "emailVerified", suspended_at AS "suspendedAt",
  created_at AS "createdAt",
  jobs_accepted AS "jobsAccepted", jobs_failed AS "jobsFailed", (SELECT count(*)::int ${existing(filter)}) AS total
${existing(filter)} AND id < $2 ORDER BY id DESC OFFSET $3 LIMIT $4`
const ALL = '$1::text IS NULL'
const ONE = 'email = $1'
const BY_ID = 'id = $1::uuid'
const LIST_ALL = listStatement(ALL)
const LIST_ONE = listStatement(ONE)
const FIND_ONE = listStatement(BY_ID)

const LIST_KEYS = `
SELECT k.* FROM unnest($1::uuid[]) AS owner (id) CROSS JOIN LATERAL (
  SELECT user_id AS "userId", id, name, prefix, last_four AS "lastFour", scopes, created_at AS "createdAt",
    expires_at AS "expiresAt", disabled_at AS "disabledAt", revoked_at AS "revokedAt", last_used_at AS "lastUsedAt"
  FROM api_keys WHERE user_id = owner.id AND revoked_at IS NULL ORDER BY created_at DESC, id DESC LIMIT ${MAX_KEYS_SHOWN}
) k`

/** Finds an account. Returns null if it is gone. */
export async function findAccountRow(sql: Sql, id: string): Promise<StoredOperatedAccount | null> {
  const [found] = await readAccounts(sql, FIND_ONE, [id, HIGHEST_ID, 0, 1])
  return found ?? null
}

async function readAccounts(
  sql: Sql,
  statement: string,
  values: unknown[],
): Promise<(StoredOperatedAccount & { total: number })[]> {
  type Row = Omit<StoredOperatedAccount, 'keys'> & { total: number }
  const { rows } = await sql.query<Row>(statement, values)
  const keys = await sql.query<StoredApiKey>(LIST_KEYS, [rows.map(({ id }) => id)])
  return rows.map((account) => ({ ...account, keys: keys.rows.filter(({ userId }) => userId === account.id) }))
}

/** Lists a page of all accounts, newest first. `email`: only the account with this address. */
export async function listAccountRows(
  sql: Sql,
  email: string | null,
  { before, skip, limit }: PageRequest,
): Promise<{ accounts: StoredOperatedAccount[]; total: number }> {
  const values = [email, before ?? HIGHEST_ID, skip, limit]
  const found = await readAccounts(sql, email === null ? LIST_ALL : LIST_ONE, values)
  const accounts = found.map(({ total: _, ...account }) => account)
  return { accounts, total: found[0]?.total ?? (await countListed(sql, email)) }
}

async function countListed(sql: Sql, email: string | null): Promise<number> {
  const { rows } = await sql.query<{ total: number }>(
    `SELECT count(*)::int AS total ${existing(email === null ? ALL : ONE)}`,
    [email],
  )
  return rows[0]?.total ?? 0
}
