import type { ErrorCode } from '@subtext/contracts'
import type { Sql, Transactional } from '@subtext/db'
import { v7 as newId } from 'uuid'
import type { SourceRef } from './source-url.ts'

export type SourceKind = SourceRef['kind']

/** Why the last try to list a source failed. */
export interface SourceError {
  code: Extract<ErrorCode, 'SOURCE_UNAVAILABLE' | 'UPSTREAM_BLOCKED' | 'UPSTREAM_UNAVAILABLE' | 'INTERNAL_ERROR'>
  reason?: string
}

/** A source as its account sees it. */
export interface AccountSource {
  /** The ID that the account knows. */
  id: string
  createdAt: Date
  /** The row with the videos. */
  sourceId: string
  kind: SourceKind
  platformId: string
  title: string | null
  listedAt: Date | null
  videosTotal: number
  truncated: boolean
  /** Of a podcast: episodes with a transcript. */
  withTranscript: number | null
  error: SourceError | null
  /** Whether a worker lists it, or is going to. */
  isDue: boolean
}

const SHOWN = `a.id, a.created_at AS "createdAt", s.id AS "sourceId", s.kind, s.platform_id AS "platformId", s.title,
  s.listed_at AS "listedAt", s.videos_total AS "videosTotal", s.truncated,
  s.with_transcript AS "withTranscript", s.error, s.due_at IS NOT NULL AS "isDue"`
/** A source that an account has asked for by a name, or before it moved, is shown as what it leads to. */
const JOINED = `account_sources a JOIN sources o ON o.id = a.source_id JOIN sources s ON s.id = coalesce(o.same_as, o.id)`

const FIND = `SELECT ${SHOWN} FROM ${JOINED} WHERE a.user_id = $1 AND a.id = $2`

/** Finds a source of an account. */
export async function findAccountSource(sql: Sql, userId: string, id: string): Promise<AccountSource | null> {
  return (await sql.query<AccountSource>(FIND, [userId, id])).rows[0] ?? null
}

const LIST = `SELECT ${SHOWN}, (SELECT count(*)::int FROM account_sources WHERE user_id = $1) AS total FROM ${JOINED}
  WHERE a.user_id = $1 AND ($2::uuid IS NULL OR a.id < $2) ORDER BY a.id DESC LIMIT $3 OFFSET $4`

/** Lists the sources of an account, the newest first. */
export async function listAccountSources(
  sql: Sql,
  userId: string,
  { before, limit, skip }: { before: string | null; limit: number; skip: number },
): Promise<{ entries: AccountSource[]; total: number }> {
  const { rows } = await sql.query<AccountSource & { total: number }>(LIST, [userId, before, limit, skip])
  const total = rows[0]?.total ?? (await countAccountSources(sql, userId))
  return { entries: rows, total }
}

async function countAccountSources(sql: Sql, userId: string): Promise<number> {
  const { rows } = await sql.query<{ total: number }>(
    'SELECT count(*)::int AS total FROM account_sources WHERE user_id = $1',
    [userId],
  )
  return rows[0]?.total ?? 0
}

/** Forgets a source of an account. Returns false if there is none, or a subscription follows it. */
export async function deleteAccountSource(sql: Sql, userId: string, id: string): Promise<boolean> {
  const { rowCount } = await sql.query(
    `DELETE FROM account_sources a WHERE a.user_id = $1 AND a.id = $2
       AND NOT EXISTS (SELECT FROM subscriptions b WHERE b.account_source_id = a.id)`,
    [userId, id],
  )
  return rowCount === 1
}

/** A row of `sources` that is locked. */
interface LockedSource {
  id: string
  kind: SourceKind
  sameAs: string | null
  listedAt: Date | null
  isDue: boolean
}

const LOCKED = `id, kind, same_as AS "sameAs", listed_at AS "listedAt", due_at IS NOT NULL AS "isDue"`

// Locks the row, whether it is new or not.
const ENSURE = `INSERT INTO sources (id, kind, platform_id, used_at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (kind, platform_id) DO UPDATE SET used_at = excluded.used_at RETURNING ${LOCKED}`

async function ensureSource(sql: Sql, { kind, id }: SourceRef, now: Date): Promise<LockedSource> {
  const [source] = (await sql.query<LockedSource>(ENSURE, [newId(), kind, id, now])).rows
  if (!source) throw new Error('The source was not stored.')
  return source
}

const LOCK = `UPDATE sources SET used_at = $2 WHERE id = $1 RETURNING ${LOCKED}`

const COUNT_LISTING = `INSERT INTO source_listings AS l (user_id, starts_at, used) VALUES ($1, date_trunc('hour', $2::timestamptz, 'UTC'), 1)
  ON CONFLICT (user_id, starts_at) DO UPDATE SET used = l.used + 1 WHERE l.used < $3`

const REQUEST = `UPDATE sources SET requested_at = $2, due_at = $2, attempts = 0, lease_token = NULL WHERE id = $1`

const STORE_LINK = `INSERT INTO account_sources (id, user_id, source_id, created_at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (user_id, source_id) DO UPDATE SET source_id = excluded.source_id RETURNING id`

export interface SourceRequest {
  userId: string
  ref: SourceRef
  /** Lists it even if it has just been listed. */
  refresh: boolean
  /** Listings of an hour; null for no limit. */
  limit: number | null
  now: Date
  /** What is listed or resolved after this time need not be again. */
  freshAfter: { list: Date; name: Date }
  /** Links a name to the account as it is, whether it leads anywhere or not, instead of having it resolved. */
  takesNames: boolean
}

/**
 * `exhausted`: the account has caused as many listings as it may. `name`: the row of a name that a worker has to resolve.
 * Otherwise the account has the source, which was listed recently (`isFresh`), or is going to be.
 */
export type RequestOutcome =
  | { outcome: 'exhausted' }
  | { outcome: 'name'; nameId: string; isNew: boolean }
  | { outcome: 'linked'; id: string; sourceId: string; isFresh: boolean }

class Exhausted extends Error {}

/** Gives an account a source, and has it listed unless it was listed recently. A listing that others wait for is joined. */
export async function requestSource(db: Transactional, request: SourceRequest): Promise<RequestOutcome> {
  try {
    return await db.transaction((sql) => link(sql, request))
  } catch (error) {
    if (error instanceof Exhausted) return { outcome: 'exhausted' }
    throw error
  }
}

async function link(sql: Sql, request: SourceRequest): Promise<RequestOutcome> {
  const { userId, ref, refresh, now, freshAfter, takesNames } = request
  const asked = await ensureSource(sql, ref, now)
  if (asked.kind === 'name' && !isResolved(asked, freshAfter.name)) {
    if (takesNames) return { outcome: 'linked', ...(await store(sql, userId, asked.id, now)), isFresh: false }
    const isNew = !asked.isDue
    if (isNew) await startListing(sql, request, asked.id)
    return { outcome: 'name', nameId: asked.id, isNew }
  }
  const [target = asked] =
    asked.sameAs === null ? [asked] : (await sql.query<LockedSource>(LOCK, [asked.sameAs, now])).rows
  const isFresh = !refresh && target.listedAt !== null && target.listedAt > freshAfter.list
  if (!isFresh && !target.isDue) await startListing(sql, request, target.id)
  return { outcome: 'linked', ...(await store(sql, userId, target.id, now)), isFresh }
}

const isResolved = ({ sameAs, listedAt }: LockedSource, after: Date): boolean =>
  sameAs !== null && listedAt !== null && listedAt > after

async function startListing(sql: Sql, { userId, limit, now }: SourceRequest, sourceId: string): Promise<void> {
  if (limit !== null && (await sql.query(COUNT_LISTING, [userId, now, limit])).rowCount === 0) throw new Exhausted()
  await sql.query(REQUEST, [sourceId, now])
}

async function store(sql: Sql, userId: string, sourceId: string, now: Date): Promise<{ id: string; sourceId: string }> {
  const [row] = (await sql.query<{ id: string }>(STORE_LINK, [newId(), userId, sourceId, now])).rows
  if (!row) throw new Error('The source was not linked.')
  return { id: row.id, sourceId }
}

const UNCOUNT = `UPDATE source_listings SET used = greatest(0, used - 1)
  WHERE user_id = $1 AND starts_at = date_trunc('hour', $2::timestamptz, 'UTC')`

/** Takes back what a name has counted, before the source that it leads to is asked for. */
export async function uncountListing(sql: Sql, userId: string, now: Date): Promise<void> {
  await sql.query(UNCOUNT, [userId, now])
}

/** Returns how many listings an account has caused in the current hour. */
export async function countListings(sql: Sql, userId: string, now: Date): Promise<number> {
  const { rows } = await sql.query<{ used: number }>(
    `SELECT used FROM source_listings WHERE user_id = $1 AND starts_at = date_trunc('hour', $2::timestamptz, 'UTC')`,
    [userId, now],
  )
  return rows[0]?.used ?? 0
}

/** What has become of the work on a source. */
export interface WorkState {
  isDue: boolean
  /** Whether it leads to another source. */
  leads: boolean
}

/** Returns the state of a source; null if it does not exist. */
export async function findWorkState(sql: Sql, sourceId: string): Promise<WorkState | null> {
  const { rows } = await sql.query<WorkState>(
    'SELECT due_at IS NOT NULL AS "isDue", same_as IS NOT NULL AS leads FROM sources WHERE id = $1',
    [sourceId],
  )
  return rows[0] ?? null
}
