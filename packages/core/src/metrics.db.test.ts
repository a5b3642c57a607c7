import { useTestDatabase } from '@subtext/db/testing'
import { createMetrics } from '@subtext/runtime'
import { claimJobById } from './jobs/claim.ts'
import { createDemandMetrics } from './metrics.ts'
import { storeEvent, storeJob } from './testing/index.ts'

const { db } = useTestDatabase({ per: 'test' })

async function read(): Promise<Record<string, number>> {
  const metrics = createMetrics()
  createDemandMetrics(metrics)(db)
  const lines = (await metrics.render()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(
    lines.map((line) => [line.slice('subtext_'.length, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  )
}

test('reports zero for a service with nothing to do', async () => {
  expect(await read()).toEqual({
    'jobs{lane="high",state="waiting"}': 0,
    'jobs{lane="high",state="running"}': 0,
    'jobs{lane="normal",state="waiting"}': 0,
    'jobs{lane="normal",state="running"}': 0,
    'jobs_oldest_waiting_seconds{lane="high"}': 0,
    'jobs_oldest_waiting_seconds{lane="normal"}': 0,
    'webhooks_pending{state="due"}': 0,
    'webhooks_pending{state="scheduled"}': 0,
    'webhooks_pending{state="in_progress"}': 0,
    webhooks_oldest_due_seconds: 0,
    source_checks_due: 0,
    source_checks_oldest_due_seconds: 0,
  })
})

test('reports the jobs of each lane by state, and the age of the oldest one that waits', async () => {
  const running = await storeJob(db, { lane: 'high' })
  await claimJobById({ db }, running.id, { leaseSeconds: 60 })
  for (let count = 0; count < 3; count++) await storeJob(db, { lane: 'normal' })
  await db.query("UPDATE jobs SET created_at = now() - interval '1 hour' WHERE lane = 'normal'")
  const found = await read()
  expect(found).toMatchObject({
    'jobs{lane="high",state="waiting"}': 0,
    'jobs{lane="high",state="running"}': 1,
    'jobs{lane="normal",state="waiting"}': 3,
    'jobs{lane="normal",state="running"}': 0,
    'jobs_oldest_waiting_seconds{lane="high"}': 0,
  })
  expect(found['jobs_oldest_waiting_seconds{lane="normal"}']).toBeGreaterThanOrEqual(3_600)
})

test('reports the deliveries that have not ended by state, and for how long the oldest has been due', async () => {
  const events = await Promise.all(Array.from({ length: 6 }, () => storeEvent(db)))
  const change = (nth: number, change: string) =>
    db.query(`UPDATE webhook_deliveries SET ${change} WHERE event_id = $1`, [events[nth]?.id])
  await change(0, "ready = false, next_attempt_at = now() + interval '1 hour'")
  await change(1, "ready = false, lease_token = gen_random_uuid(), next_attempt_at = now() + interval '1 minute'")
  await change(2, "ready = false, lease_token = gen_random_uuid(), next_attempt_at = now() - interval '1 minute'")
  await change(3, "next_attempt_at = now() - interval '1 hour'")
  await change(4, "ready = false, status = 'delivered'")
  const found = await read()
  expect(found).toMatchObject({
    'webhooks_pending{state="due"}': 3,
    'webhooks_pending{state="scheduled"}': 1,
    'webhooks_pending{state="in_progress"}': 1,
  })
  expect(found.webhooks_oldest_due_seconds).toBeGreaterThanOrEqual(3_600)
})
