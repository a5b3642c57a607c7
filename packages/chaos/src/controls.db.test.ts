import { randomUUID } from 'node:crypto'
import { extendLease } from '@subtext/core/jobs'
import { claimJob, storeJob } from '@subtext/core/testing'
import { type Db, openDb } from '@subtext/db'
import { createTestDatabase } from '@subtext/db/testing'
import { CONTROLS, removeSafeguard } from './controls.ts'

// Each control changes the schema, so each has a database of its own.
let database: Awaited<ReturnType<typeof createTestDatabase>>
let db: Db
beforeEach(async () => {
  database = await createTestDatabase()
  db = openDb({ url: database.url, maxConnections: 1 })
})
afterEach(async () => {
  await db.close()
  await database.drop()
})

test.each(CONTROLS)('jobs can be claimed without the safeguard %s', async (control) => {
  await removeSafeguard(db, control)
  const { id: jobId } = await storeJob(db)
  const lease = { jobId, token: randomUUID() }
  const claimed = await claimJob(db, lease, { notBefore: new Date() })
  expect(claimed).toMatchObject({ id: jobId, look: { lease: { token: lease.token } } })
  const isExtended = await extendLease(db, { jobId, token: randomUUID() }, 60)
  expect(isExtended).toBe(control === 'fence')
})
