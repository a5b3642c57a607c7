import { claimStoredJob } from '@subtext/core/testing'
import { useTestDatabase } from '@subtext/db/testing'
import { type FaultContext, killAtWork } from './faults.ts'
import type { Slot } from './fleet.ts'
import { installLeaseLog, listInterrupted } from './lease-log.ts'

const { db } = useTestDatabase()

test('a process that completes its work just before the kill is resumed, and killed during later work', async () => {
  await installLeaseLog(db)
  const worker = 'worker-1.1'
  const claimAs = async (): Promise<void> => {
    await claimStoredJob(db)
    await db.query("UPDATE chaos_leases SET app = $1 WHERE app NOT LIKE 'worker-%'", [worker])
  }
  await claimAs()
  const steps: string[] = []
  let freezes = 0
  const slot = {
    app: 'worker',
    processName: () => worker,
    freeze() {
      steps.push('freeze')
      freezes++
    },
    thaw() {
      steps.push('thaw')
      void claimAs()
    },
    async kill() {
      steps.push('kill')
      return worker
    },
  } as unknown as Slot
  // The first freeze comes too late: the statement that ends the job has been sent.
  const late = {
    ...db,
    async query(text: string, values?: unknown[]) {
      if (freezes === 1 && text.includes('pg_stat_activity')) {
        await db.query('UPDATE jobs SET lease_token = NULL WHERE lease_token IS NOT NULL')
        await db.query('UPDATE chaos_leases SET app = $1', [worker])
      }
      return db.query(text, values)
    },
  }
  const killed: string[] = []
  const context = { testBed: { db: late }, onKill: (_app: string, name: string) => killed.push(name) }
  await killAtWork(context as unknown as FaultContext, slot)
  expect(steps).toEqual(['freeze', 'thaw', 'freeze', 'kill'])
  expect([...(await listInterrupted(db, killed))]).toEqual([worker])
})
