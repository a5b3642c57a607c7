import { randomUUID } from 'node:crypto'
import { useTestDatabase } from '@subtext/db/testing'
import { findBestCandidates, findNewestCandidates, type LanguageQuery } from './search-sql.ts'

const { db } = useTestDatabase({ maxConnections: 4 })

const PROBES = 10_000
const WORDS_PER_VIDEO = 500
const PAGE = { limit: 5 }
const [owner, other] = [randomUUID(), randomUUID()]

const wordOf = (nth: number): string => `secret${nth}`

/** Stores a video in which these words are said. */
async function say(userId: string, words: string[]): Promise<void> {
  const jobId = randomUUID()
  await db.query(
    `WITH job AS (
       INSERT INTO jobs (id, user_id, lane, priority, video_id, options, status, wake_at, created_at, updated_at, completed_at)
       VALUES ($1, $2, 'normal', 'normal', $3, '{}', 'completed', now(), now(), now(), now())
     ) SELECT`,
    [jobId, userId, jobId.slice(0, 11)],
  )
  await db.query(
    `INSERT INTO library_entries (user_id, video_id, job_id, transcript_id, cue_count, title, channel_id, language, completed_at,
       tsv) VALUES ($1, $2, $3, $3, 1, '', '', 'en', now(), $4::tsvector)`,
    [userId, jobId.slice(0, 11), jobId, words.map((word) => `'${word}':1`).join(' ')],
  )
}

const queryFor = (word: string): LanguageQuery[] => [{ languages: ['en'], wanted: `'${word}'`, ranked: `'${word}'` }]

test('ten thousand words that only another account has said are found in none of the videos', async () => {
  for (let first = 0; first < PROBES; first += WORDS_PER_VIDEO) {
    await say(
      owner,
      Array.from({ length: WORDS_PER_VIDEO }, (_, nth) => wordOf(first + nth)),
    )
  }
  await say(other, ['common', 'words'])
  const filter = { userId: other, languages: ['en'] }
  let found = 0
  for (let nth = 0; nth < PROBES; nth++) {
    const read = nth % 2 ? findBestCandidates : findNewestCandidates
    found += (await read(db, filter, queryFor(wordOf(nth)), PAGE)).length
  }
  expect(found).toBe(0)
  expect(await findBestCandidates(db, { ...filter, userId: owner }, queryFor(wordOf(9_999)), PAGE)).toHaveLength(1)
})
