import type { DigestStatus, ErrorCode, JobStatus, VideoInfo, Warning } from '@subtext/contracts'
import type { Sql } from '@subtext/db'

export interface StoredDigestCitation {
  jobId: string
  segmentId: number
  startMs: number
  /** Where the recording is: the ID of a video, or an address. */
  place: string
}

export interface StoredDigestPoint {
  text: string
  citations: StoredDigestCitation[]
}

export interface StoredDigestVideo {
  jobId: string
  videoId: string
  /** Where an imported recording is. Null for videos of the platform. */
  videoUrl: string | null
  title: string
  status: JobStatus
  oneLine?: string
}

export interface DigestContent {
  /** Of headings and labels, BCP-47. */
  language: string
  themes: { title: string; points: StoredDigestPoint[] }[]
  disagreements: { question: string; positions: StoredDigestPoint[] }[]
  videos: StoredDigestVideo[]
  coverage: { videos: number; failed: number; points: number; pointsUsed: number }
  warnings: Warning[]
}

export interface StoredDigest {
  id: string
  userId: string
  batchId: string
  status: DigestStatus
  error: { code: ErrorCode } | null
  content: DigestContent | null
  createdAt: Date
  completedAt: Date | null
}

const COLUMNS = `id, user_id AS "userId", batch_id AS "batchId", status, error, content, created_at AS "createdAt",
  completed_at AS "completedAt"`

export interface NewDigest {
  id: string
  userId: string
  apiKeyId: string | null
  batchId: string
  instructions: string | null
  outputLanguage: string | null
  now: Date
}

const INSERT = `INSERT INTO digests (id, user_id, api_key_id, batch_id, instructions, output_language, created_at, due_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, now()) ON CONFLICT (id) DO NOTHING`

/** Stores a digest to be made. One with this ID is kept. */
export async function insertDigest(sql: Sql, digest: NewDigest): Promise<void> {
  const { id, userId, apiKeyId, batchId, instructions, outputLanguage, now } = digest
  await sql.query(INSERT, [id, userId, apiKeyId, batchId, instructions, outputLanguage, now])
}

/** Finds a digest of this user. */
export async function findDigest(sql: Sql, userId: string, id: string): Promise<StoredDigest | null> {
  const { rows } = await sql.query<StoredDigest>(`SELECT ${COLUMNS} FROM digests WHERE id = $1 AND user_id = $2`, [
    id,
    userId,
  ])
  return rows[0] ?? null
}

/** Finds the ID of the latest digest of a batch. */
export async function findDigestOfBatch(sql: Sql, batchId: string): Promise<string | null> {
  const { rows } = await sql.query<{ id: string }>(
    'SELECT id FROM digests WHERE batch_id = $1 ORDER BY id DESC LIMIT 1',
    [batchId],
  )
  return rows[0]?.id ?? null
}

/** A digest that a worker has claimed. Every write names the token, so that a late worker changes nothing. */
export interface ClaimedDigest {
  id: string
  userId: string
  apiKeyId: string | null
  batchId: string
  instructions: string | null
  outputLanguage: string | null
  /** How a model has grouped the points in an earlier try. */
  groups: unknown
  token: string
  /** Number of this try, from 1. */
  attempt: number
}

/** Accounts take turns: the one that has the fewest digests at the moment is next, and of several the one that had its last turn before. */
const TURN = `(SELECT count(*) FROM digests o WHERE o.user_id = d.user_id AND o.status = 'processing' AND o.due_at > now()),
      (SELECT max(o.completed_at) FROM digests o WHERE o.user_id = d.user_id AND o.completed_at > now() - interval '1 hour') NULLS FIRST`

// Those of a batch that has not ended wait for it.
const CLAIM = `UPDATE digests SET status = 'processing', lease_token = $1, due_at = now() + make_interval(secs => $2),
    attempts = attempts + 1
  WHERE id = (
    SELECT d.id FROM digests d WHERE d.due_at <= now()
      AND NOT EXISTS (SELECT FROM batches b WHERE b.id = d.batch_id AND b.status = 'processing' OFFSET 0)
    ORDER BY ${TURN}, d.due_at LIMIT 1 FOR UPDATE SKIP LOCKED
  )
  RETURNING id, user_id AS "userId", api_key_id AS "apiKeyId", batch_id AS "batchId", instructions,
    output_language AS "outputLanguage", groups, lease_token AS token, attempts AS attempt`

/** Claims a digest that is due. One whose worker has died is due when its lease ends. */
export async function claimDigest(
  sql: Sql,
  { token, leaseSeconds }: { token: string; leaseSeconds: number },
): Promise<ClaimedDigest | null> {
  return (await sql.query<ClaimedDigest>(CLAIM, [token, leaseSeconds])).rows[0] ?? null
}

type Held = Pick<ClaimedDigest, 'id' | 'token'>

/** Extends the lease. Returns false if it is lost. */
export async function extendDigestLease(sql: Sql, { id, token }: Held, leaseSeconds: number): Promise<boolean> {
  const { rowCount } = await sql.query(
    'UPDATE digests SET due_at = now() + make_interval(secs => $3) WHERE id = $1 AND lease_token = $2',
    [id, token, leaseSeconds],
  )
  return rowCount === 1
}

/** Leaves a digest for a later try. */
export async function postponeDigest(sql: Sql, { id, token }: Held, seconds: number): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE digests SET status = 'queued', lease_token = NULL, due_at = now() + make_interval(secs => $3)
     WHERE id = $1 AND lease_token = $2`,
    [id, token, seconds],
  )
  return rowCount === 1
}

/** Stores how a model has grouped the points, so that another try need not pay for it again. Returns false if the lease is lost. */
export async function saveDigestGroups(sql: Sql, { id, token }: Held, groups: unknown): Promise<boolean> {
  const { rowCount } = await sql.query('UPDATE digests SET groups = $3::jsonb WHERE id = $1 AND lease_token = $2', [
    id,
    token,
    JSON.stringify(groups),
  ])
  return rowCount === 1
}

/** Completes a digest. Returns false if the lease is lost. */
export async function endDigest(
  sql: Sql,
  { id, token }: Held,
  { content, citedJobs, now }: { content: DigestContent; citedJobs: string[]; now: Date },
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE digests SET status = 'completed', content = $3::jsonb, cited_jobs = $4::uuid[], completed_at = $5, groups = NULL,
       lease_token = NULL, due_at = NULL
     WHERE id = $1 AND lease_token = $2`,
    [id, token, JSON.stringify(content), citedJobs, now],
  )
  return rowCount === 1
}

/** Fails a digest. Returns false if the lease is lost. */
export async function failDigest(sql: Sql, { id, token }: Held, code: ErrorCode, now: Date): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE digests SET status = 'failed', error = $3::jsonb, completed_at = $4, groups = NULL, lease_token = NULL, due_at = NULL
     WHERE id = $1 AND lease_token = $2`,
    [id, token, JSON.stringify({ code }), now],
  )
  return rowCount === 1
}

/** A completed job with what a digest takes from it. */
export interface DigestSource {
  jobId: string
  info: VideoInfo
  language: string
  transcriptId: string
  cueCount: number
  /** Maps the number of each segment that a summary cites to its start in milliseconds. */
  citedStarts: Record<number, number>
}

/** Finds the results of jobs for a digest. */
export async function listDigestSources(sql: Sql, jobIds: readonly string[]): Promise<DigestSource[]> {
  const { rows } = await sql.query<DigestSource>(
    `SELECT r.job_id AS "jobId", r.video_info AS info, t.track->>'language' AS language, r.transcript_id AS "transcriptId",
       r.cue_count AS "cueCount", r.cited_starts AS "citedStarts"
     FROM results r JOIN transcripts t ON t.id = r.transcript_id WHERE r.job_id = ANY ($1::uuid[])`,
    [jobIds],
  )
  return rows
}

const LOCK_JOBS = 'SELECT id FROM jobs WHERE id = ANY ($1::uuid[]) ORDER BY id FOR KEY SHARE'

/** Returns those of these jobs that exist. Until the transaction ends, none of them is deleted. */
export async function keepJobs(sql: Sql, jobIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql.query<{ id: string }>(LOCK_JOBS, [jobIds])
  return new Set(rows.map(({ id }) => id))
}

/** Finds the completed digests that have something of these jobs, and locks them. */
export async function lockDigestsCiting(
  sql: Sql,
  jobIds: readonly string[],
): Promise<{ id: string; content: DigestContent }[]> {
  const { rows } = await sql.query<{ id: string; content: DigestContent }>(
    'SELECT id, content FROM digests WHERE cited_jobs && $1::uuid[] AND content IS NOT NULL ORDER BY id FOR UPDATE',
    [jobIds],
  )
  return rows
}

export async function replaceDigestContent(sql: Sql, id: string, content: DigestContent): Promise<void> {
  await sql.query('UPDATE digests SET content = $2::jsonb, cited_jobs = $3::uuid[] WHERE id = $1', [
    id,
    JSON.stringify(content),
    listCited(content),
  ])
}

/** Returns the jobs of which a digest says something. */
export const listCited = ({ videos }: DigestContent): string[] => [...new Set(videos.map(({ jobId }) => jobId))]
