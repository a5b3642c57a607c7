import { randomUUID } from 'node:crypto'
import { endJob, releaseJob } from '@subtext/core/jobs'
import { claimDeliveries, claimStoredJob, holdJob, storeEvent, storeJob } from '@subtext/core/testing'
import type { Sql } from '@subtext/db'
import { useTestDatabase } from '@subtext/db/testing'
import { TRIGGERS } from './demand.ts'
import { findTrigger, readScaledObject, readSetting } from './scaled-objects.ts'

const { db } = useTestDatabase({ per: 'test' })

interface LaneRow {
  lane: string
  waiting: number
  running: number
  oldestWaitingSeconds: number
}

const readLanes = async (sql: Sql = db): Promise<LaneRow[]> =>
  (
    await sql.query<LaneRow>(
      `SELECT lane, waiting::int AS waiting, running::int AS running, oldest_waiting_seconds AS "oldestWaitingSeconds"
       FROM lane_demand ORDER BY lane`,
    )
  ).rows
const readDeliveries = async () =>
  (
    await db.query<{ receivers: number; seconds: number }>(
      'SELECT waiting_receivers::int AS receivers, oldest_due_seconds AS seconds FROM delivery_demand',
    )
  ).rows[0]

/** Almost an hour: columns round times to milliseconds. */
const NEARLY_AN_HOUR = 3_599

const age = (jobId: string, hours: number) =>
  db.query(`UPDATE jobs SET created_at = now() - make_interval(hours => $2) WHERE id = $1`, [jobId, hours])

/** Stores a job of the normal lane in every state; returns how many wait and how many run. */
async function storeJobsInEveryState(): Promise<{ waiting: number; running: number }> {
  // Waiting: one of the two for an hour.
  await age((await storeJob(db)).id, 1)
  await storeJob(db)
  // Held back for other jobs of its account, however long.
  const held = await storeJob(db)
  await holdJob(db, held.id)
  await age(held.id, 10)
  // Running, left behind by a worker that died, handed back, pausing before another attempt, ended.
  await claimStoredJob(db)
  const abandoned = await claimStoredJob(db)
  await db.query(`UPDATE jobs SET wake_at = now() - interval '1 second' WHERE id = $1`, [abandoned.job.id])
  const handedBack = await claimStoredJob(db)
  await releaseJob(db, handedBack.lease, { delaySeconds: 0, refund: true })
  const pausing = await claimStoredJob(db)
  await releaseJob(db, pausing.lease, { delaySeconds: 3_600, refund: false })
  const ended = await claimStoredJob(db)
  await endJob(db, ended.lease, { status: 'completed', error: null, warnings: [], completedAt: new Date() })
  return { waiting: 5, running: 1 }
}

test('counts the jobs of each lane that wait and that run, and knows the oldest', async () => {
  const expected = await storeJobsInEveryState()
  await storeJob(db, { lane: 'high', priority: 'high' })
  const [high, normal] = await readLanes()
  expect(high).toMatchObject({ lane: 'high', waiting: 1, running: 0 })
  expect(normal).toMatchObject({ lane: 'normal', ...expected })
  // An hour, and less than the ten of the held job.
  expect(normal?.oldestWaitingSeconds).toBeGreaterThan(NEARLY_AN_HOUR)
  expect(normal?.oldestWaitingSeconds).toBeLessThan(30_000)
})

test('knows every lane, and no waiting time, while there are no jobs', async () => {
  const nothing = { waiting: 0, running: 0, oldestWaitingSeconds: 0 }
  expect(await readLanes()).toEqual([
    { lane: 'high', ...nothing },
    { lane: 'normal', ...nothing },
  ])
})

test.each(['worker', 'worker-high'] as const)('the triggers of %s compute what the simulation does', async (name) => {
  await storeJobsInEveryState()
  await claimStoredJob(db, { lane: 'high', priority: 'high' })
  await age((await storeJob(db, { lane: 'high', priority: 'high' })).id, 1)
  const manifest = readScaledObject(name)
  const ask = async (sql: Sql, trigger: string) => {
    const { rows } = await sql.query<{ value: number }>(
      `SELECT * FROM (${findTrigger(manifest, trigger).metadata.query}) AS asked (value)`,
    )
    return rows.map(({ value }) => value)
  }
  // Within a transaction, the time does not advance.
  await db.transaction(async (sql) => {
    const lane = (await readLanes(sql)).find((row) => row.lane === (name === 'worker' ? 'normal' : 'high'))
    if (!lane) throw new Error('The view lacks a lane.')
    expect(await ask(sql, 'rows')).toEqual([TRIGGERS.rows(lane)])
    expect(await ask(sql, 'age')).toEqual([TRIGGERS.age(lane, readSetting(name).maxAge)])
  })
})

test('knows for how long the oldest work for sources and subscriptions has been due', async () => {
  const late = async () =>
    Math.round(
      (await db.query<{ seconds: number }>('SELECT oldest_due_seconds AS seconds FROM check_demand')).rows[0]
        ?.seconds ?? -1,
    )
  expect(await late()).toBe(0)
  const id = randomUUID()
  await db.query(
    "INSERT INTO sources (id, kind, platform_id, used_at, due_at) VALUES ($1, 'channel', 'UC', now(), now() + interval '1 hour')",
    [id],
  )
  await db.query("INSERT INTO source_watches (source_id, due_at) VALUES ($1, now() + interval '1 hour')", [id])
  expect(await late()).toBe(0)
  await db.query("UPDATE source_watches SET due_at = now() - interval '90 seconds'")
  expect(await late()).toBe(90)
  await db.query("UPDATE sources SET due_at = now() - interval '300 seconds'")
  expect(await late()).toBe(300)
})

test('counts receivers that no process serves, and knows for how long the oldest delivery has been due', async () => {
  expect(await readDeliveries()).toEqual({ receivers: 0, seconds: 0 })
  const userId = randomUUID()
  const store = (url: string) => storeEvent(db, { url, userId })
  for (let count = 0; count < 3; count++) await store('https://slow.example/hook')
  await claimDeliveries(db, { limit: 1, cap: 1 })
  // Two more wait for the slow receiver, which further processes would not make faster.
  await db.query(
    `UPDATE webhook_deliveries SET next_attempt_at = now() - interval '10 hours' WHERE lease_token IS NULL`,
  )
  expect(await readDeliveries()).toEqual({ receivers: 0, seconds: 0 })
  const { deliveryId } = await store('https://other.example/hook')
  await db.query(`UPDATE webhook_deliveries SET next_attempt_at = now() - interval '1 hour' WHERE id = $1`, [
    deliveryId,
  ])
  const found = await readDeliveries()
  expect(found?.receivers).toBe(1)
  expect(found?.seconds).toBeGreaterThan(NEARLY_AN_HOUR)
  expect(found?.seconds).toBeLessThan(30_000)
})

test('counts deliveries that have become due since a process last looked', async () => {
  const { deliveryId } = await storeEvent(db)
  await db.query(
    `UPDATE webhook_deliveries SET ready = false, next_attempt_at = now() - interval '1 hour' WHERE id = $1`,
    [deliveryId],
  )
  expect((await readDeliveries())?.seconds).toBeGreaterThan(NEARLY_AN_HOUR)
  await db.query(`UPDATE webhook_deliveries SET next_attempt_at = now() + interval '1 hour' WHERE id = $1`, [
    deliveryId,
  ])
  expect(await readDeliveries()).toEqual({ receivers: 0, seconds: 0 })
})

test('the trigger of the webhook sender reads one number', async () => {
  const { query } = findTrigger(readScaledObject('webhooks'), 'age').metadata
  expect((await db.query(query ?? '')).rows).toEqual([{ oldest_due_seconds: 0 }])
})

test('a role may read the demand and nothing else', async () => {
  const role = `scaler_${randomUUID().replaceAll('-', '')}`
  const denied = async (query: string) => {
    await db.transaction(async (sql) => {
      await sql.query(`CREATE ROLE ${role}`)
      await sql.query(`GRANT SELECT ON lane_demand, delivery_demand, check_demand TO ${role}`)
      await sql.query(`SET LOCAL ROLE ${role}`)
      await sql.query('SELECT * FROM lane_demand, delivery_demand, check_demand')
      await sql.query(query)
    })
  }
  // Each transaction is rolled back, and with it the role.
  for (const table of ['jobs', 'webhook_deliveries', 'users']) {
    await expect(denied(`SELECT count(*) FROM ${table}`)).rejects.toThrow(`permission denied for table ${table}`)
  }
})

test('reads partial indexes only, however many jobs and deliveries there have been', async () => {
  await storeJobsInEveryState()
  await storeEvent(db)
  // Ended ones, of as many accounts and receivers.
  await db.query(
    `INSERT INTO jobs SELECT (jsonb_populate_record(j, jsonb_build_object('id', gen_random_uuid(), 'user_id', gen_random_uuid()))).*
     FROM jobs j, generate_series(1, 2000) WHERE j.status = 'completed'`,
  )
  await db.query(
    `INSERT INTO webhook_deliveries SELECT (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid(),
       'status', 'delivered', 'ready', false, 'receiver_key', gen_random_uuid()))).*
     FROM webhook_deliveries d, generate_series(1, 2000)`,
  )
  // Without statistics, the plan depends on what PostgreSQL has counted in the background.
  await db.query('ANALYZE jobs, webhook_deliveries')
  const plans = await db.transaction(async (sql) => {
    // The few rows of these partial indexes fit into one page, so the planner sees little difference to a scan.
    await sql.query('SET LOCAL enable_seqscan = off')
    const views = ['lane_demand', 'delivery_demand']
    const rows = await Promise.all(
      views.map((view) => sql.query<{ 'QUERY PLAN': string }>(`EXPLAIN SELECT * FROM ${view}`)),
    )
    return rows.flatMap((result) => result.rows.map((row) => row['QUERY PLAN'])).join('\n')
  })
  expect(plans).not.toMatch(/Seq Scan/)
  const used = [...plans.matchAll(/(?:using|on) (\w+_idx|\w+_pkey)/g)].map(([, index]) => index)
  const { rows } = await db.query<{ name: string }>(
    'SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indpred IS NOT NULL',
  )
  const partial = new Set(rows.map(({ name }) => name))
  expect(used.length).toBeGreaterThan(5)
  expect(used.filter((index = '') => !partial.has(index))).toEqual([])
})
