import { useTestDatabase } from '@subtext/db/testing'
import type { Actor, Context } from '../context.ts'
import { storeJob } from '../testing/index.ts'
import { followJob } from './follow.ts'
import { createJobLookups } from './lookups.ts'

const { db } = useTestDatabase()
const notifier = { subscribe: () => () => {} } as Partial<Context['notifier']> as Context['notifier']

test('ends after the first read for a caller that has disconnected before it', async () => {
  const { id, userId } = await storeJob(db)
  const actor: Actor = { userId, apiKeyId: null, plan: 'pro', scopes: ['read'] }
  const seen: string[] = []
  const following = { actor, jobId: id, signal: AbortSignal.abort() }
  const ctx = { notifier, lookups: createJobLookups(db) }
  for await (const status of followJob(ctx, following, async ({ job }) => job.status)) seen.push(status)
  expect(seen).toEqual(['queued'])
})
