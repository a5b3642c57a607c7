import { useTestDatabase } from '@subtext/db/testing'
import { createLogger } from '@subtext/runtime'
import { restoreAccount, suspendAccount } from '../operations/index.ts'
import { storeSubscription } from '../testing/index.ts'
import { describeWatched, listFollowers } from './watches-sql.ts'

const { db } = useTestDatabase({ maxConnections: 2, per: 'test' })
const BY = { command: 'a test' }

test('nothing is looked for while an account is suspended, and at once when it is restored', async () => {
  const ctx = { db, clock: () => new Date(), log: createLogger('test', 'fatal') }
  const { userId, sourceId, id } = await storeSubscription(db)
  expect(await listFollowers(db, sourceId)).toEqual([id])
  await suspendAccount(ctx, BY, userId, null)
  expect(await listFollowers(db, sourceId)).toEqual([])
  expect(await describeWatched(db, sourceId)).toMatchObject({ isFollowed: false, isUnseeded: false })
  await restoreAccount(ctx, BY, userId)
  expect(await listFollowers(db, sourceId)).toEqual([id])
  const { rows } = await db.query('SELECT source_id FROM source_watches WHERE due_at <= now()')
  expect(rows).toEqual([{ source_id: sourceId }])
})
