import { randomBytes, randomUUID } from 'node:crypto'
import { newVideoInfo } from '@subtext/contracts/testing'
import { useTestDatabase } from '@subtext/db/testing'
import { findKeyHolders } from './api-keys/keys-sql.ts'
import { claimJobs } from './jobs/claim-sql.ts'
import { completeJobs } from './jobs/complete-sql.ts'
import { findChangedJobs, findFollowedJobs, findJobs } from './jobs/find-sql.ts'
import type { StoredResult } from './jobs/result-sql.ts'
import { saveFetchedVideo } from './transcripts/transcripts-sql.ts'
import { listWebhookSecrets } from './webhooks/secrets-sql.ts'

const ROWS = 2_000
// Statements are prepared for each connection.
const { db } = useTestDatabase({ maxConnections: 1 })

beforeAll(async () => {
  await db.query(
    `INSERT INTO jobs (id, user_id, lane, priority, video_id, options, wake_at, created_at, updated_at)
     SELECT gen_random_uuid(), gen_random_uuid(), 'normal', 'normal', 'dQw4w9WgXcQ', '{}', now(), now(), now()
     FROM generate_series(1, ${ROWS})`,
  )
  await db.query(
    `INSERT INTO users (id, email, plan) SELECT gen_random_uuid(), nth, 'pro' FROM generate_series(1, ${ROWS}) nth`,
  )
  await db.query(
    `INSERT INTO api_keys (id, user_id, hash, prefix, last_four, scopes, name, created_at)
     SELECT gen_random_uuid(), id, sha256(id::text::bytea), '', '', '{read}', '', now() FROM users`,
  )
  await db.query(
    `INSERT INTO webhook_secrets (id, user_id, prefix, sealed, key_id, created_at)
     SELECT gen_random_uuid(), id, '', '', '', now() FROM users`,
  )
  await db.query('ANALYZE')
})

const track = { key: '.en', language: 'en', kind: 'manual' as const, name: 'English', isDefault: true }
const cues = Array.from({ length: 1_500 }, (_, nth) => ({ startMs: nth * 1_000, durationMs: 900, text: 'cue' }))

/** Stores a video with a transcript of two parts, under a lease that nobody has. */
const saveNewVideo = () =>
  saveFetchedVideo(db, {
    lease: { key: 'video:videoId0001', token: randomUUID() },
    info: newVideoInfo('videoId0001'),
    tracks: [track],
    askedAt: performance.now(),
    requestedAt: null,
    transcript: { id: randomUUID(), videoId: 'videoId0001', track, cues },
  })

const ids = [randomUUID(), randomUUID()]
const owned = ids.map((jobId) => ({ userId: randomUUID(), jobId }))

const leases = ids.map((jobId) => ({ jobId, token: jobId }))
const result = { usage: {}, videoInfo: {} } as StoredResult

test.each<[string, () => Promise<unknown>]>([
  ['claimJobs', () => claimJobs(db, leases, { leaseSeconds: 60 })],
  [
    'completeJobs',
    () =>
      completeJobs(
        db,
        leases.map((lease) => ({ lease, result, warnings: [], event: null })),
      ),
  ],
  ['findJobs', () => findJobs(db, owned)],
  ['findFollowedJobs', () => findFollowedJobs(db, owned)],
  [
    'findChangedJobs',
    () =>
      findChangedJobs(
        db,
        ids.map((jobId) => ({ jobId, state: '' })),
      ),
  ],
  ['findKeyHolders', () => findKeyHolders(db, [randomBytes(32).toString('hex')])],
  ['saveFetchedVideo', saveNewVideo],
  ['listWebhookSecrets', () => listWebhookSecrets(db, ids, new Date())],
])('the statement of %s is planned once, and not for each call', async (_, call) => {
  const before = (await listCalledOften()).length
  // PostgreSQL compares the plans of the first five times.
  for (let time = 0; time < 8; time++) await call()
  const after = await listCalledOften()
  expect(after.slice(before)).toEqual([{ generic: 3 }])
})

/** Returns how often statements that were called eight times were not planned again, in the order in which they were prepared. */
async function listCalledOften(): Promise<{ generic: number }[]> {
  const { rows } = await db.query<{ generic: number }>(
    `SELECT generic_plans::int AS generic FROM pg_prepared_statements
     WHERE custom_plans + generic_plans = 8 AND statement NOT LIKE '%pg_prepared_statements%' ORDER BY prepare_time`,
  )
  return rows
}
