import { randomUUID } from 'node:crypto'
import { useTestDatabase } from '@subtext/db/testing'
import { v7 as newId } from 'uuid'
import { deleteAccountContent } from '../accounts/delete-sql.ts'
import { saveTranscript } from '../transcripts/index.ts'
import { deleteImported, deleteUnusedImports, obtainImportKey } from './imports-sql.ts'

const { db } = useTestDatabase({ per: 'test' })
const TRACK = { key: 'import', language: 'en', kind: 'manual' as const, name: 'Imported captions', isDefault: true }
const BEFORE = { before: new Date(), limit: 100 }

async function addAccount(): Promise<string> {
  const id = randomUUID()
  await db.query(`INSERT INTO users (id, email, plan) VALUES ($1, $2, 'pro')`, [id, `${id}@example.org`])
  return id
}

/** Stores an import of long ago, with a summary. */
async function addImport(ownerId: string | undefined, videoId = 'imp-aaaaaaaaaaaaaaaa'): Promise<string> {
  const { id } = await saveTranscript(db, {
    id: newId(),
    videoId,
    track: TRACK,
    cues: [{ startMs: 0, durationMs: 1, text: 'Words.' }],
    ...(ownerId !== undefined && { ownerId }),
  })
  await db.query("UPDATE transcripts SET fetched_at = now() - interval '1 day' WHERE id = $1", [id])
  return id
}

const addJob = (id: string, userId: string, status: 'queued' | 'completed', videoId = 'imp-aaaaaaaaaaaaaaaa') =>
  db.query(
    `INSERT INTO jobs (id, user_id, lane, priority, video_id, options, status, step, progress, wake_at, created_at, updated_at,
       completed_at)
     VALUES ($1, $2, 'normal', 'normal', $3, '{}', $4, $5, $6, now(), now(), now(), $7)`,
    [id, userId, videoId, status, status, ...(status === 'completed' ? [100, new Date()] : [0, null])],
  )
const addResult = (jobId: string, transcriptId: string) =>
  db.query(
    `INSERT INTO results (job_id, transcript_id, cue_count, truncated, selection_reason, video_info, cited_starts, usage,
       processing_ms, completed_at) VALUES ($1, $2, 1, false, '', '{}', '{}', '{}', 0, now())`,
    [jobId, transcriptId],
  )
const listTranscripts = async (): Promise<string[]> =>
  (await db.query<{ id: string }>('SELECT id FROM transcripts ORDER BY id')).rows.map(({ id }) => id)

test('the captions of an import are deleted once no job has them', async () => {
  const userId = await addAccount()
  const [unused, used, waited] = [
    await addImport(userId),
    await addImport(userId),
    await addImport(userId, 'imp-bbbbbbbbbbbbbbbb'),
  ]
  const jobId = newId()
  await addJob(jobId, userId, 'completed')
  await addResult(jobId, used)
  await addJob(newId(), userId, 'queued', 'imp-bbbbbbbbbbbbbbbb')
  expect(await deleteUnusedImports(db, BEFORE)).toBe(1)
  expect(await listTranscripts()).toEqual([used, waited].sort())
  await db.query('DELETE FROM results WHERE job_id = $1', [jobId])
  expect(await deleteUnusedImports(db, BEFORE)).toBe(1)
  expect(await listTranscripts()).toEqual([waited])
  expect(unused).not.toBe(used)
})

test('captions of the platform are not deleted as imports', async () => {
  const platform = await addImport(undefined, 'dQw4w9WgXcQ')
  expect(await deleteUnusedImports(db, BEFORE)).toBe(0)
  expect(await listTranscripts()).toEqual([platform])
})

test('captions whose jobs were refused are deleted at once, and only these', async () => {
  const userId = await addAccount()
  const [refused, other] = [await addImport(userId), await addImport(userId)]
  expect(await deleteImported(db, [refused])).toBe(1)
  expect(await listTranscripts()).toEqual([other])
})

test('an account has one import key, also if many ask for it at the same time', async () => {
  const userId = await addAccount()
  const keys = await Promise.all(Array.from({ length: 8 }, () => obtainImportKey(db, userId)))
  expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1)
  expect(await obtainImportKey(db, await addAccount())).not.toEqual(keys[0])
})

test('the captions of an account go with it, and no others', async () => {
  const [gone, stays] = [await addAccount(), await addAccount()]
  await addImport(gone)
  const other = await addImport(stays)
  while ((await deleteAccountContent(db, gone, 10)) > 0);
  expect(await listTranscripts()).toEqual([other])
})
