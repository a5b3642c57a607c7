import { randomUUID } from 'node:crypto'
import { useTestDatabase } from '@subtext/db/testing'
import { findViolations } from './invariants.ts'

const { db } = useTestDatabase()
const system = { rows: async <Row>(statement: string) => (await db.query(statement)).rows as Row[] }

const store = (videoId: string, ownerId: string | null) =>
  db.query(
    `INSERT INTO transcripts (id, video_id, track_key, track, cue_count, text_bytes, fetched_at, owner_id)
     VALUES ($1, $2, '.en', '{"language":"en"}', 0, 0, now(), $3)`,
    [randomUUID(), videoId, ownerId],
  )

beforeEach(() => db.query('TRUNCATE transcripts CASCADE'))

test('an account may import the same captions twice', async () => {
  const owner = randomUUID()
  for (const _ of [1, 2]) await store('imp-0123456789abcdef', owner)
  expect(await findViolations(system)).toEqual({})
})

test.each([
  ['a track of the platform is stored twice', 'dQw4w9WgXcQ', [null, null]],
  ['imports of two accounts share an ID', 'imp-0123456789abcdef', [randomUUID(), randomUUID()]],
])('notices that %s', async (_, videoId, owners) => {
  for (const owner of owners) await store(videoId, owner)
  expect(await findViolations(system)).toEqual({
    'a track was stored twice': [{ video_id: videoId, track_key: '.en', count: expect.anything() }],
  })
})
