import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { DEFAULT_QUOTAS, ServiceError, SubmitVideo } from '@subtext/contracts'
import { type Db, openDb } from '@subtext/db'
import { useTestDatabase } from '@subtext/db/testing'
import { waitUntil } from '@subtext/embedded/testing'
import type { Actor } from '../context.ts'
import type { PersistWrite } from '../coordination/retry-through-outage.ts'
import { createAcceptor } from '../jobs/accept.ts'
import { submitVideo } from '../jobs/submit.ts'
import { purgeOld } from '../retention/purge.ts'
import { beginIdempotentRequest, type IdempotentStart, keepReply, releaseClaim } from './claim.ts'
import { findIdempotencyRecord } from './claim-sql.ts'
import { hashRequest } from './request-hash.ts'

const { db } = useTestDatabase({ maxConnections: 8 })
let ctx: ReturnType<typeof newProcess>
let warnings: string[] = []

beforeAll(async () => {
  ctx = newProcess(db)
})
beforeEach(() => {
  warnings = []
})

const ignore = (): void => {}
const persist: PersistWrite = (_signal, write) => write()
/** Creates the context of one process. */
const newProcess = (ownDb: Db) => {
  const log = { info: ignore, error: ignore, warn: (message: string) => warnings.push(message) }
  const base = { db: ownDb, clock: () => new Date(), log, producer: { wakeJobs: async () => {} } }
  return {
    ...base,
    accept: createAcceptor(base),
    persist,
    planQuotas: DEFAULT_QUOTAS,
    estimateCosts: async () => [],
    submitPolicy: {
      proxiesConfigured: false,
      checkWebhookUrl: async () => null,
      spending: { model: 'free' as const, dailyLimitUsd: null },
    },
  }
}

async function newActor(plan: Actor['plan'] = 'pro', scopes: Actor['scopes'] = ['write']): Promise<Actor> {
  const userId = randomUUID()
  await db.prisma.user.create({ data: { id: userId, email: userId, plan } })
  return { userId, apiKeyId: randomUUID(), plan, scopes }
}

const BODY = { url: 'https://youtu.be/dQw4w9WgXcQ' }
const requestOf = ({ userId }: Actor, body: unknown = BODY) => ({
  userId,
  key: 'order-1',
  requestHash: hashRequest('post', '/videos/process', body),
})
const submit = (actor: Actor, { resource }: IdempotentStart, body: object = BODY) =>
  submitVideo(ctx, actor, SubmitVideo.parse(body), resource)

async function claimed(actor: Actor, body: unknown = BODY) {
  const start = await beginIdempotentRequest(ctx, requestOf(actor, body))
  if (!('claim' in start)) throw new Error('The key has been answered.')
  return start
}

/** Makes the claim look as if its process had died a minute ago: the next request takes over. */
async function abandonClaim({ userId }: Actor): Promise<void> {
  await db.query("UPDATE idempotency_keys SET locked_until = locked_until - interval '1 minute' WHERE user_id = $1", [
    userId,
  ])
  // Claims are distinguished by their time. Only in tests can two claims of a key happen in one millisecond.
  await sleep(5)
}

const ageKey = ({ userId }: Actor, seconds: number) =>
  db.query('UPDATE idempotency_keys SET created_at = created_at - make_interval(secs => $2) WHERE user_id = $1', [
    userId,
    seconds,
  ])

async function totals(actor: Actor) {
  const { rows } = await db.query(
    `SELECT (SELECT count(*)::int FROM jobs WHERE user_id = $1) AS jobs,
       (SELECT jobs_accepted FROM users WHERE id = $1) AS accepted,
       (SELECT coalesce(max(used), 0) FROM quota_usage WHERE user_id = $1 AND period = 'day') AS used`,
    [actor.userId],
  )
  return rows[0]
}
const ONE = { jobs: 1, accepted: 1, used: 1 }

test('repeats the reply to the same request, and refuses a different request with its key', async () => {
  const actor = await newActor()
  const first = await claimed(actor)
  await expect(beginIdempotentRequest(ctx, requestOf(actor))).rejects.toMatchObject({
    code: 'IDEMPOTENCY_IN_PROGRESS',
    retryAfterSeconds: 1,
  })
  const { jobId } = await submit(actor, first)
  await keepReply(ctx, first.claim, jobId)
  expect(await beginIdempotentRequest(ctx, requestOf(actor))).toEqual({
    reply: jobId,
    resource: { id: jobId, mayExist: true },
  })
  await expect(beginIdempotentRequest(ctx, requestOf(actor, { ...BODY, priority: 'high' }))).rejects.toMatchObject({
    code: 'IDEMPOTENCY_KEY_REUSED',
  })
  const other = await claimed(await newActor())
  expect(other.resource).toMatchObject({ mayExist: false })
  expect(await totals(actor)).toEqual(ONE)
})

test('asks the caller to wait longer the longer the request has been running, up to a limit', async () => {
  const actor = await newActor()
  const { claim } = await claimed(actor)
  const refusal = () =>
    beginIdempotentRequest(ctx, requestOf(actor)).catch(({ retryAfterSeconds }) => retryAfterSeconds)
  const pauses = [await refusal()]
  for (const seconds of [6, 60]) {
    await ageKey(actor, seconds)
    pauses.push(await refusal())
  }
  expect(pauses[0]).toBe(1)
  expect(pauses[1]).toBeGreaterThanOrEqual(7)
  expect(pauses[2]).toBe(10)
  await claim.end()
})

describe('a process that dies', () => {
  test('before it accepts the job leaves its reserved ID to the next', async () => {
    const actor = await newActor()
    const dead = await claimed(actor)
    await abandonClaim(actor)
    const next = await claimed(actor)
    expect(next.resource).toEqual({ id: dead.resource.id, mayExist: true })
    expect((await submit(actor, next)).jobId).toBe(dead.resource.id)
    expect(await totals(actor)).toEqual(ONE)
  })

  test('after it accepted the job leaves that job to the next', async () => {
    const actor = await newActor()
    const dead = await claimed(actor)
    const made = await submit(actor, dead)
    await abandonClaim(actor)
    const next = await claimed(actor)
    expect(await submit(actor, next)).toEqual(made)
    await keepReply(ctx, next.claim, made.jobId)
    expect(await beginIdempotentRequest(ctx, requestOf(actor))).toMatchObject({ reply: made.jobId })
    expect(await totals(actor)).toEqual(ONE)
  })

  test('after it used the last of the quota leaves its job to the next, even if the plan no longer allows it', async () => {
    const actor = await newActor('free')
    const body = { ...BODY, priority: 'high' }
    const pro: Actor = { ...actor, plan: 'pro' }
    const dead = await claimed(actor, body)
    const made = await submit(pro, dead, body)
    for (let count = 0; count < 2; count++) await submitVideo(ctx, actor, SubmitVideo.parse(BODY))
    await expect(submitVideo(ctx, actor, SubmitVideo.parse(BODY))).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' })
    await abandonClaim(actor)
    expect(await submit(actor, await claimed(actor, body), body)).toEqual(made)
  })
})

describe('a process that was only slow', () => {
  test('creates nothing if the next one has created the job', async () => {
    const actor = await newActor()
    const slow = await claimed(actor)
    await abandonClaim(actor)
    const next = await claimed(actor)
    const made = await submit(actor, next)
    expect(await submit(actor, slow)).toEqual(made)
    await keepReply(ctx, next.claim, 'of the next')
    await keepReply(ctx, slow.claim, 'of the slow one')
    expect(await beginIdempotentRequest(ctx, requestOf(actor))).toMatchObject({ reply: 'of the next' })
    expect(await totals(actor)).toEqual(ONE)
  })

  test('gets the job, not a refusal, if the next one used the last of the quota for it', async () => {
    const actor = await newActor('free')
    for (let count = 0; count < 2; count++) await submitVideo(ctx, actor, SubmitVideo.parse(BODY))
    const slow = await claimed(actor)
    await abandonClaim(actor)
    const made = await submit(actor, await claimed(actor))
    expect(await submit(actor, slow)).toEqual(made)
    expect(await totals(actor)).toEqual({ jobs: 3, accepted: 3, used: 3 })
  })

  test('cannot release the key that the next one holds, and the next one cannot free it for a different request', async () => {
    const actor = await newActor()
    const slow = await claimed(actor)
    await abandonClaim(actor)
    const next = await claimed(actor)
    await releaseClaim(ctx, slow.claim, new ServiceError('QUOTA_EXCEEDED'))
    await expect(beginIdempotentRequest(ctx, requestOf(actor))).rejects.toMatchObject({
      code: 'IDEMPOTENCY_IN_PROGRESS',
    })
    await releaseClaim(ctx, next.claim, new ServiceError('QUOTA_EXCEEDED'))
    expect((await claimed(actor)).resource).toEqual({ id: slow.resource.id, mayExist: true })
  })

  test('creates one job together with the next, and affects no other job in the same statement', async () => {
    const [actor, bystander] = [await newActor(), await newActor()]
    const slow = await claimed(actor)
    await abandonClaim(actor)
    const next = await claimed(actor)
    // All but the first wait for a free statement, and then share one.
    const first = Array.from({ length: 3 }, () => submitVideo(ctx, bystander, SubmitVideo.parse(BODY)))
    const both = [
      submitVideo(ctx, actor, SubmitVideo.parse(BODY), { ...slow.resource, mayExist: false }),
      submitVideo(ctx, actor, SubmitVideo.parse(BODY), { ...next.resource, mayExist: false }),
    ]
    const [one, other] = await Promise.all(both)
    await Promise.all(first)
    expect(one).toEqual(other)
    expect(await totals(actor)).toEqual(ONE)
    expect(await totals(bystander)).toEqual({ jobs: 3, accepted: 3, used: 3 })
  })
})

test('a repeated submission does not use up the last of the quota that a new one needs', async () => {
  const actor = await newActor('free')
  const id = randomUUID()
  const send = (jobId: string) => submitVideo(ctx, actor, SubmitVideo.parse(BODY), { id: jobId, mayExist: false })
  await send(id)
  await send(randomUUID())
  const replies = await Promise.all([send(id), send(randomUUID())])
  expect(replies[0]?.jobId).toBe(id)
  expect(await totals(actor)).toEqual({ jobs: 3, accepted: 3, used: 3 })
})

test.each(['QUOTA_EXCEEDED', 'PLAN_UPGRADE_REQUIRED', 'VALIDATION_ERROR', 'INVALID_VIDEO_URL'] as const)(
  'a refusal with %s frees the key for a corrected request',
  async (code) => {
    const actor = await newActor()
    const refused = await claimed(actor)
    await releaseClaim(ctx, refused.claim, new ServiceError(code))
    const corrected = await claimed(actor, { url: 'another' })
    expect(corrected.resource).toMatchObject({ mayExist: false })
    expect(corrected.resource.id).not.toBe(refused.resource.id)
  },
)

test.each([
  ['an internal error', new Error('Query read timeout')],
  ['a timeout while the job continues', new ServiceError('PROCESSING_TIMEOUT')],
])('%s leaves the key to the same request, which can be sent again at once', async (_, failure) => {
  const actor = await newActor()
  const failed = await claimed(actor)
  await releaseClaim(ctx, failed.claim, failure)
  await expect(beginIdempotentRequest(ctx, requestOf(actor, { url: 'another' }))).rejects.toMatchObject({
    code: 'IDEMPOTENCY_KEY_REUSED',
  })
  expect((await claimed(actor)).resource).toEqual({ id: failed.resource.id, mayExist: true })
})

test('the error of a job that was created leaves the key to the same request', async () => {
  const actor = await newActor()
  const start = await claimed(actor)
  const { jobId } = await submit(actor, start)
  await releaseClaim(ctx, start.claim, new ServiceError('TRANSCRIPT_UNAVAILABLE'))
  expect((await claimed(actor)).resource).toEqual({ id: jobId, mayExist: true })
})

test('claims nothing while the database is unavailable, and keeps earlier claims without a reply', async () => {
  const unavailable = openDb({ url: 'postgresql://nobody@127.0.0.1:1/none' })
  const actor = await newActor()
  await expect(beginIdempotentRequest(newProcess(unavailable), requestOf(actor))).rejects.toThrow()
  expect(await findIdempotencyRecord(db, requestOf(actor))).toBeNull()

  const start = await claimed(actor)
  const made = await submit(actor, start)
  await keepReply(newProcess(unavailable), start.claim, 'never stored')
  await releaseClaim(newProcess(unavailable), start.claim, new Error('unavailable'))
  const failures = ['reply not stored', 'idempotency key not released']
  await waitUntil('both were repeated', () => warnings.length === 4)
  expect(warnings.sort()).toEqual([...failures, ...failures].sort())
  await abandonClaim(actor)
  expect(await submit(actor, await claimed(actor))).toEqual(made)
  expect(await totals(actor)).toEqual(ONE)
  await unavailable.close()
})

test('deletes keys older than 24 hours and keeps all others', async () => {
  const [old, recent] = [await newActor(), await newActor()]
  await claimed(old)
  await claimed(recent)
  await db.query("UPDATE idempotency_keys SET created_at = created_at - interval '24 hours' WHERE user_id = $1", [
    old.userId,
  ])
  await purgeOld(ctx, { resultsDays: 0, cacheDays: 0, webhooksDays: 0 }, new AbortController().signal)
  const left = await db.prisma.idempotencyKey.findMany({ where: { userId: { in: [old.userId, recent.userId] } } })
  expect(left.map(({ userId }) => userId)).toEqual([recent.userId])
})
