import { randomUUID } from 'node:crypto'
import { firstIdAt } from '@subtext/db'
import { useTestDatabase } from '@subtext/db/testing'
import { storeJob } from '../testing/index.ts'
import { findOwnCache } from './own-cache-sql.ts'
import { addJobSummary, saveSummary } from './summaries-sql.ts'

const { db } = useTestDatabase({ maxConnections: 4 })

/** A UUIDv7. */
const newId = (): string => `${firstIdAt(new Date()).slice(0, 14)}7${randomUUID().slice(15)}`

const NONE = { isOwn: false, isKept: false }
const FOUND = { isOwn: true, isKept: false }
const KEPT = { isOwn: true, isKept: true }

/** Stores a job with a summary of the transcript, made `age` ago. */
async function store(
  transcriptId: string,
  { reused = false, age = '1 minute', model = 'm', tokens = 7, written = 0 } = {},
) {
  const job = await storeJob(db, { id: newId(), userId: randomUUID() })
  const id = randomUUID()
  const usage = { inputTokens: tokens, outputTokens: 1, cachedInputTokens: 0, cacheWriteTokens: written, costUsd: 0 }
  const content = { overview: [], sections: [] }
  const summary = { id, cacheKey: Buffer.from(id), transcriptId, mode: 'tldr', model, content, usage } as const
  await saveSummary(db, summary)
  await addJobSummary(db, { jobId: job.id, mode: 'tldr', summaryId: id, reused })
  await db.query('UPDATE job_summaries SET created_at = now() - $2::interval WHERE job_id = $1', [job.id, age])
  return { userId: job.userId, transcriptId, jobId: job.id }
}

test('only summaries that the account has had written within five minutes keep a transcript in the cache', async () => {
  const transcriptId = randomUUID()
  const own = await store(transcriptId)
  expect(await findOwnCache(db, own)).toEqual(FOUND)
  expect(await findOwnCache(db, { ...own, userId: randomUUID() })).toEqual(NONE)
  expect(await findOwnCache(db, { ...own, transcriptId: randomUUID() })).toEqual(NONE)
  for (const change of [{ reused: true }, { age: '6 minutes' }, { model: 'extractive', tokens: 0 }]) {
    expect([change, await findOwnCache(db, await store(transcriptId, change))]).toEqual([change, NONE])
  }
})

test('only a summary that was written with the cache keeps the transcript there on purpose', async () => {
  expect(await findOwnCache(db, await store(randomUUID(), { written: 7 }))).toEqual(KEPT)
  expect(await findOwnCache(db, await store(randomUUID(), { written: 7, age: '6 minutes' }))).toEqual(NONE)
})

test('questions about the job keep its transcript in the cache for an hour', async () => {
  const { jobId, userId, transcriptId } = await store(randomUUID(), { age: '1 day' })
  const ask = async (minutesAgo: number, cached: number) => {
    const conversation = newId()
    await db.query(
      `INSERT INTO chat_conversations (id, job_id, user_id, title, created_at, updated_at) VALUES ($1, $2, $3, '', now(), now())`,
      [conversation, jobId, userId],
    )
    await db.query(
      `INSERT INTO chat_exchanges (id, conversation_id, user_id, position, question, status, answer, cache_write_tokens, created_at,
         completed_at)
       VALUES ($1, $2, $3, 0, 'Why?', 'complete', '{}', $4, now(), now() - make_interval(mins => $5))`,
      [newId(), conversation, userId, cached, minutesAgo],
    )
  }
  const find = (account = userId) => findOwnCache(db, { userId: account, transcriptId, jobId })
  await ask(61, 100)
  await ask(10, 0)
  expect(await find()).toEqual(NONE)
  await ask(50, 100)
  expect(await find()).toEqual(KEPT)
  expect(await find(randomUUID())).toEqual(NONE)
})
