import { setTimeout as sleep } from 'node:timers/promises'
import { v7 as newId } from 'uuid'
import type { ApiSetup } from './api-setup.ts'
import type { Benchmark } from './benchmark.ts'
import { compare, type Side } from './compare.ts'

const STREAMS = 1_000
const ROUNDS = 3
/** Opening all streams takes longer than anything that warms up. The line takes five minutes; with more rounds, three times that. */
const WARM_UPS = 1
/** Every stream gets one heartbeat in this time. */
const WINDOW_SECONDS = 15
/** Heartbeats are a little more than 15 seconds apart, on a busy machine more, so some streams get theirs just outside. */
const MIN_HEARTBEATS = STREAMS * 0.9
const SETTLE_MS = 3_000

const INSERT_WAITING = `
INSERT INTO jobs (id, user_id, lane, priority, video_id, options, wake_at, created_at, updated_at)
SELECT id, user_id, 'normal', 'normal', 'dQw4w9WgXcQ', '{"summary_modes": ["tldr"]}', now() + interval '1 day', now(), now()
FROM unnest($1::uuid[], $2::uuid[]) AS j(id, user_id)`

/** Benchmarks streams of events of jobs that wait. A unit is a second in which all streams are open. */
export function streamBenchmarks(setup: ApiSetup, say: (text: string) => void): Benchmark[] {
  const run = () => {
    say('this takes about five minutes')
    return compareStreams(setup)
  }
  return [{ name: `${STREAMS} idle event streams, one second`, extra: true, run }]
}

async function compareStreams(setup: ApiSetup) {
  const { testBed, users, ours, same, floor } = setup
  const jobs = Array.from({ length: STREAMS }, (_, nth) => ({ id: newId(), user: users[nth % users.length] }))
  const values = [jobs.map(({ id }) => id), jobs.map(({ user }) => user?.userId)]
  await Promise.all([testBed.db.query(INSERT_WAITING, values), testBed.baseline.query(INSERT_WAITING, values)])
  const streams = jobs.map(({ id, user }) => ({
    path: `/api/v1/videos/events/${id}`,
    headers: { authorization: `Bearer ${user?.key}` },
  }))
  const side = ({ process, origin }: typeof ours): Side => ({
    process,
    async prepare() {
      await setup.follow({ origin, streams })
      await sleep(SETTLE_MS)
      await setup.reportFollowed()
    },
    async run() {
      await sleep(WINDOW_SECONDS * 1_000)
      return { count: WINDOW_SECONDS, seconds: WINDOW_SECONDS }
    },
    async verify() {
      const { open, pieces } = await setup.reportFollowed()
      await setup.unfollow()
      if (open !== STREAMS || pieces < MIN_HEARTBEATS) {
        throw new Error(`${open} streams were open, and ${pieces} heartbeats arrived on them.`)
      }
    },
  })
  return compare(testBed.servers, { ours: side(ours), same: side(same), floor: side(floor) }, ROUNDS, WARM_UPS)
}
