import { createHash, randomUUID } from 'node:crypto'
import type { SummaryPoint } from '@subtext/contracts'
import { useTestDatabase } from '@subtext/db/testing'
import { deleteOldNotes } from '../retention/cache-retention-sql.ts'
import { claimStoredJob } from '../testing/index.ts'
import { saveTranscript } from '../transcripts/transcripts-sql.ts'
import { findNotes, listNotes, saveNotes } from './notes-sql.ts'

const { db } = useTestDatabase({ maxConnections: 4 })

const ANY_TIME = new Date(0)
const hourAgo = () => new Date(Date.now() - 3_600_000)
const newKey = (): Buffer => createHash('sha256').update(randomUUID()).digest()
const newNotes = (): SummaryPoint[] => [
  { text: `it's "this" \u{1F600} ${randomUUID()}`, segmentIds: [1, 20] },
  { text: 'and that', segmentIds: [3] },
]

/** A UUIDv7 from the beginning of 2024, which counts as old. */
const OLD_ID = () => randomUUID().replace(/^.{8}-.{4}-4/, '018cc251-f400-7')

async function newAddress(videoId: string = randomUUID()) {
  const track = { key: '.en', language: 'en', kind: 'auto' as const, name: 'English', isDefault: true }
  const cues = [{ startMs: 0, durationMs: 900, text: 'one' }]
  const { id } = await saveTranscript(db, { id: OLD_ID(), videoId, track, cues })
  return { userId: randomUUID(), transcriptId: id, key: newKey() }
}
const age = (key: Buffer) =>
  db.query(`UPDATE transcript_notes SET created_at = now() - interval '2 h' WHERE key = $1`, [key])

test('finds notes by transcript and key', async () => {
  const [address, other] = [await newAddress(), await newAddress()]
  const notes = newNotes()
  expect(await findNotes(db, address, ANY_TIME)).toBeNull()
  await saveNotes(db, { ...address, notes }, ANY_TIME)
  expect(await findNotes(db, address, ANY_TIME)).toEqual(notes)
  expect(await findNotes(db, { ...address, key: newKey() }, ANY_TIME)).toBeNull()
  expect(await findNotes(db, { ...other, key: address.key }, ANY_TIME)).toBeNull()
})

test('does not find notes older than requested, and replaces them', async () => {
  const address = await newAddress()
  const [older, newer, late] = [newNotes(), newNotes(), newNotes()]
  await saveNotes(db, { ...address, notes: older }, ANY_TIME)
  await age(address.key)
  expect(await findNotes(db, address, ANY_TIME)).toEqual(older)
  expect(await findNotes(db, address, hourAgo())).toBeNull()
  // A caller that accepts notes of any age does not replace them.
  await saveNotes(db, { ...address, notes: late }, ANY_TIME)
  expect(await findNotes(db, address, ANY_TIME)).toEqual(older)
  await saveNotes(db, { ...address, notes: newer }, hourAgo())
  expect(await findNotes(db, address, hourAgo())).toEqual(newer)
  await saveNotes(db, { ...address, notes: late }, hourAgo())
  expect(await findNotes(db, address, ANY_TIME)).toEqual(newer)
})

test('stores one of several concurrent notes', async () => {
  const address = await newAddress()
  const all = Array.from({ length: 8 }, newNotes)
  await Promise.all(all.map((notes) => saveNotes(db, { ...address, notes }, ANY_TIME)))
  expect(all).toContainEqual(await findNotes(db, address, ANY_TIME))
})

test('deletes notes along with their transcript', async () => {
  const address = await newAddress()
  await saveNotes(db, { ...address, notes: newNotes() }, ANY_TIME)
  await db.query('DELETE FROM transcripts WHERE id = $1', [address.transcriptId])
  expect(await findNotes(db, address, ANY_TIME)).toBeNull()
})

test('deletes old notes of videos without a running job, however many a transcript has', async () => {
  const { job } = await claimStoredJob(db, { videoId: 'in-use-now1' })
  const [used, idle] = [await newAddress(job.videoId), await newAddress()]
  const others = [1, 2].map(() => ({ ...idle, key: newKey() }))
  const fresh = { ...idle, key: newKey() }
  for (const address of [used, idle, ...others, fresh]) {
    await saveNotes(db, { ...address, notes: newNotes() }, ANY_TIME)
    if (address !== fresh) await age(address.key)
  }
  const options = { before: hourAgo(), limit: 2 }
  expect(await deleteOldNotes(db, options)).toBe(2)
  expect(await deleteOldNotes(db, options)).toBe(1)
  expect(await deleteOldNotes(db, options)).toBe(0)
  for (const address of [used, fresh]) expect(await findNotes(db, address, ANY_TIME)).not.toBeNull()
})

test('finds and lists no notes of another account', async () => {
  const address = await newAddress()
  await saveNotes(db, { ...address, notes: newNotes() }, ANY_TIME)
  const stranger = { ...address, userId: randomUUID() }
  expect(await findNotes(db, stranger, ANY_TIME)).toBeNull()
  expect(await listNotes(db, stranger.userId, address.transcriptId)).toEqual([])
  expect(await listNotes(db, address.userId, address.transcriptId)).toHaveLength(2)
})
