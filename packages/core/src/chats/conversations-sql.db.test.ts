import { randomUUID } from 'node:crypto'
import { useTestDatabase } from '@subtext/db/testing'
import { deleteOldJobs } from '../retention/retention-sql.ts'
import { storeJob } from '../testing/index.ts'
import {
  deleteConversation,
  findConversation,
  findExchange,
  listConversations,
  listExchanges,
  type StoredAnswer,
} from './conversations-sql.ts'
import {
  completeExchange,
  extendExchangeLease,
  failAbandonedExchanges,
  failExchange,
  type NewExchange,
  openExchange,
} from './exchanges-sql.ts'

const {
  db,
  pools: [, other = db],
} = useTestDatabase({ pools: 2 })

const DAY = '2026-11-22'
const NOW = new Date('2026-11-22T12:00:00.000Z')
const ANSWER: StoredAnswer = { kind: 'not_in_video', parts: [], language: 'en', model: 'm', warnings: [] }
const USAGE = { inputTokens: 1, outputTokens: 2, cachedInputTokens: 3, cacheWriteTokens: 4, costUsd: 0.005 }

async function completedJob(): Promise<{ jobId: string; userId: string }> {
  const { id: jobId, userId } = await storeJob(db)
  await db.query(`UPDATE jobs SET status = 'completed', completed_at = now() WHERE id = $1`, [jobId])
  return { jobId, userId }
}

interface OfJob extends NewExchange {
  jobId: string
}
const newExchange = (owner: { jobId: string; userId: string }, overrides: Partial<OfJob> = {}): OfJob => ({
  ...owner,
  id: randomUUID(),
  conversationId: randomUUID(),
  title: 'Why?',
  apiKeyId: null,
  question: 'Why?',
  regenerate: false,
  leaseToken: randomUUID(),
  leaseSeconds: 60,
  quota: null,
  maxExchanges: 50,
  now: NOW,
  ...overrides,
})
const leaseOf = ({ id, leaseToken }: NewExchange) => ({ id, token: leaseToken })
const complete = (exchange: NewExchange, answer = ANSWER) =>
  completeExchange(db, leaseOf(exchange), { answer, usage: USAGE, now: NOW })
const expire = ({ id }: NewExchange) =>
  db.query(`UPDATE chat_exchanges SET lease_until = now() - interval '1 second' WHERE id = $1`, [id])

const countQuestions = async (userId: string): Promise<number | undefined> =>
  (await db.prisma.quotaUsage.findFirst({ where: { userId, period: 'chat_day' } }))?.used

/** Asks a question in a new conversation, or in that of `first`. */
async function ask(first: OfJob | { jobId: string; userId: string }, overrides: Partial<OfJob> = {}) {
  const known = 'conversationId' in first ? { conversationId: first.conversationId, title: null } : {}
  const exchange = newExchange({ jobId: first.jobId, userId: first.userId }, { ...known, ...overrides })
  return { exchange, opened: await openExchange(db, exchange) }
}

test('stores a question and its pending answer, and then the answer', async () => {
  const { exchange, opened } = await ask(await completedJob())
  expect(opened).toEqual({ outcome: 'opened', earlier: [] })
  expect(await listExchanges(db, exchange.conversationId)).toMatchObject([{ status: 'pending', answer: null }])
  const answered = await complete(exchange)
  expect(answered).toMatchObject({
    id: exchange.id,
    status: 'complete',
    answer: ANSWER,
    usage: USAGE,
    completedAt: NOW,
  })
  expect(await findConversation(db, exchange)).toMatchObject({ title: 'Why?', exchanges: 1, createdAt: NOW })
  expect(await complete(exchange)).toBeNull()
})

test('passes the answered exchanges to the next one', async () => {
  const { exchange } = await ask(await completedJob())
  await complete(exchange)
  const second = await ask(exchange)
  await failExchange(db, leaseOf(second.exchange))
  const { opened } = await ask(exchange)
  expect(opened).toMatchObject({ outcome: 'opened', earlier: [{ id: exchange.id }] })
  const statuses = (await listExchanges(db, exchange.conversationId)).map(({ status }) => status)
  expect(statuses).toEqual(['complete', 'failed', 'pending'])
})

test('writes one answer at a time in a conversation, whatever races', async () => {
  const { exchange } = await ask(await completedJob())
  await complete(exchange)
  const questions = Array.from({ length: 12 }, () =>
    newExchange(exchange, { conversationId: exchange.conversationId, title: null }),
  )
  const outcomes = await Promise.all(questions.map((each, index) => openExchange(index % 2 === 0 ? db : other, each)))
  expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual([...Array(11).fill('busy'), 'opened'])
  expect(await listExchanges(db, exchange.conversationId)).toHaveLength(2)
})

test('never counts more questions than the quota of the day, whatever races', async () => {
  const owner = await completedJob()
  const quota = { day: DAY, limit: 5 }
  const asked = await Promise.all(Array.from({ length: 12 }, () => ask(owner, { quota })))
  expect(asked.filter(({ opened }) => opened.outcome === 'opened')).toHaveLength(5)
  expect(asked.filter(({ opened }) => opened.outcome === 'exhausted')).toHaveLength(7)
  expect(await countQuestions(owner.userId)).toBe(5)
  // A refused question leaves no conversation behind.
  expect((await listConversations(db, owner, { before: null, skip: 0, limit: 100 })).total).toBe(5)
  const next = { day: '2026-11-23', limit: 5 }
  expect((await ask(owner, { quota: next })).opened.outcome).toBe('opened')
})

test.each([
  ['that fails', async (exchange: NewExchange) => void (await failExchange(db, leaseOf(exchange)))],
  [
    'whose process dies',
    async (exchange: NewExchange) => {
      await expire(exchange)
      expect(await failAbandonedExchanges(db, 100)).toBe(1)
    },
  ],
])('returns a question %s to the quota, once', async (_, fail) => {
  const owner = await completedJob()
  const quota = { day: DAY, limit: 5 }
  const { exchange } = await ask(owner, { quota })
  await ask(owner, { quota })
  await fail(exchange)
  expect(await failExchange(db, leaseOf(exchange))).toBe(false)
  expect(await failAbandonedExchanges(db, 100)).toBe(0)
  expect(await countQuestions(owner.userId)).toBe(1)
  expect(await complete(exchange)).toBeNull()
  expect(await listExchanges(db, exchange.conversationId)).toMatchObject([{ status: 'failed', usage: { costUsd: 0 } }])
})

test('does not wait for the sweep to ask the next question after a process has died', async () => {
  const { exchange } = await ask(await completedJob())
  await expire(exchange)
  expect((await ask(exchange)).opened.outcome).toBe('opened')
  expect((await findExchange(db, exchange.userId, exchange.id))?.exchange.status).toBe('failed')
})

test('keeps a lease for as long as it is extended by its holder', async () => {
  const { exchange } = await ask(await completedJob(), { leaseSeconds: 0 })
  expect(await extendExchangeLease(db, { id: exchange.id, token: randomUUID() }, 60)).toBe(false)
  expect(await extendExchangeLease(db, leaseOf(exchange), 60)).toBe(true)
  expect(await failAbandonedExchanges(db, 100)).toBe(0)
  await failExchange(db, leaseOf(exchange))
  expect(await extendExchangeLease(db, leaseOf(exchange), 60)).toBe(false)
})

test('asks a question under a reserved ID once, and again if it has failed', async () => {
  const owner = await completedJob()
  const { exchange } = await ask(owner, { quota: { day: DAY, limit: 9 } })
  const again = { ...exchange, title: null, leaseToken: randomUUID() }
  expect(await openExchange(db, again)).toMatchObject({ outcome: 'exists', exchange: { status: 'pending' } })
  await failExchange(db, leaseOf(exchange))
  expect(await openExchange(db, again)).toMatchObject({ outcome: 'opened' })
  await complete(again)
  expect(await openExchange(db, again)).toMatchObject({ outcome: 'exists', exchange: { status: 'complete' } })
  expect(await listExchanges(db, exchange.conversationId)).toHaveLength(1)
  expect(await countQuestions(owner.userId)).toBe(1)
})

test('never takes over the exchange of another conversation', async () => {
  const owner = await completedJob()
  const { exchange } = await ask(owner)
  await failExchange(db, leaseOf(exchange))
  expect((await ask(owner, { id: exchange.id })).opened.outcome).toBe('busy')
  expect((await findExchange(db, owner.userId, exchange.id))?.exchange.conversationId).toBe(exchange.conversationId)
})

describe('an answer that is regenerated', () => {
  test('replaces the last one when it is complete', async () => {
    const { exchange } = await ask(await completedJob())
    await complete(exchange)
    const { exchange: second } = await ask(exchange)
    await complete(second)
    const { exchange: third, opened } = await ask(exchange, { regenerate: true, question: 'Why not?' })
    expect(opened).toMatchObject({ outcome: 'opened', earlier: [{ id: exchange.id }] })
    const idsOf = async () => (await listExchanges(db, exchange.conversationId)).map(({ id }) => id)
    expect(await idsOf()).toEqual([exchange.id, third.id])
    await complete(third)
    expect(await idsOf()).toEqual([exchange.id, third.id])
    expect(await findConversation(db, exchange)).toMatchObject({ exchanges: 2 })
  })

  test('leaves the last one in place when it fails', async () => {
    const { exchange } = await ask(await completedJob())
    await complete(exchange)
    const { exchange: again } = await ask(exchange, { regenerate: true })
    await failExchange(db, leaseOf(again))
    expect(await listExchanges(db, exchange.conversationId)).toMatchObject([{ id: exchange.id, status: 'complete' }])
  })

  test('replaces a failed one, and requires one', async () => {
    const { exchange } = await ask(await completedJob())
    await failExchange(db, leaseOf(exchange))
    const { exchange: again } = await ask(exchange, { regenerate: true })
    await complete(again)
    expect(await listExchanges(db, exchange.conversationId)).toMatchObject([{ id: again.id, status: 'complete' }])
    await db.query('DELETE FROM chat_exchanges WHERE conversation_id = $1', [exchange.conversationId])
    expect((await ask(exchange, { regenerate: true })).opened.outcome).toBe('empty')
  })
})

test('limits the exchanges of a conversation, but not how often one is regenerated', async () => {
  const { exchange } = await ask(await completedJob())
  await complete(exchange)
  expect((await ask(exchange, { maxExchanges: 1 })).opened.outcome).toBe('full')
  expect((await ask(exchange, { maxExchanges: 1, regenerate: true })).opened.outcome).toBe('opened')
})

test('finds nothing of other accounts and jobs, and nothing about jobs that are not completed', async () => {
  const owner = await completedJob()
  const { exchange } = await ask(owner)
  await complete(exchange)
  const stranger = await completedJob()
  const elsewhere = await completedJob()
  for (const address of [
    { ...exchange, userId: stranger.userId },
    { ...exchange, jobId: elsewhere.jobId },
  ]) {
    expect(await findConversation(db, address)).toBeNull()
    expect(await deleteConversation(db, address)).toBe('gone')
    expect((await ask(exchange, address)).opened.outcome).toBe('gone')
    expect((await listConversations(db, address, { before: null, skip: 0, limit: 9 })).conversations).toEqual([])
  }
  expect(await findExchange(db, stranger.userId, exchange.id)).toBeNull()
  const { id, userId } = await storeJob(db)
  expect((await ask({ jobId: id, userId })).opened.outcome).toBe('gone')
})

test('deletes a conversation, but not while an answer is being written', async () => {
  const { exchange } = await ask(await completedJob())
  expect(await deleteConversation(db, exchange)).toBe('busy')
  await expire(exchange)
  expect(await deleteConversation(db, exchange)).toBe('deleted')
  expect(await deleteConversation(db, exchange)).toBe('gone')
  expect(await findExchange(db, exchange.userId, exchange.id)).toBeNull()
  expect(await complete(exchange)).toBeNull()
})

test('deletes conversations together with their job', async () => {
  const { exchange } = await ask(await completedJob())
  await complete(exchange)
  const kept = await ask(await completedJob())
  await db.query(
    `UPDATE jobs SET id = '00000000-0000-7000-8000-000000000001', completed_at = now() - interval '9 days'
    WHERE id = $1`,
    [exchange.jobId],
  )
  expect(await deleteOldJobs(db, { before: new Date(Date.now() - 86_400_000), limit: 10 })).toBe(1)
  expect(await findExchange(db, exchange.userId, exchange.id)).toBeNull()
  expect(await findExchange(db, kept.exchange.userId, kept.exchange.id)).not.toBeNull()
})

test('lists the conversations about a job, newest first, page by page', async () => {
  const owner = await completedJob()
  const ids = [1, 2, 3].map((number) => `0193a1f0-0000-7000-8000-00000000000${number}`)
  for (const conversationId of ids) await ask(owner, { conversationId })
  const page = (before: string | null, skip: number) => listConversations(db, owner, { before, skip, limit: 2 })
  const idsOf = ({ conversations }: Awaited<ReturnType<typeof page>>) => conversations.map(({ id }) => id)
  const [first, second, third] = ids
  const newest = await page(null, 0)
  expect([idsOf(newest), newest.total]).toEqual([[third, second], 3])
  expect(idsOf(await page(second ?? null, 0))).toEqual([first])
  expect(idsOf(await page(null, 2))).toEqual([first])
})
