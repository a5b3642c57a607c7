import { setTimeout as sleep } from 'node:timers/promises'
import { at } from '@subtext/runtime'
import { v7 as newId } from 'uuid'
import { compare, type Side } from './compare.ts'
import type { FollowOptions, FollowReport } from './load.ts'
import type { Part } from './part.ts'
import { headersOf, openRequestSetup } from './requests/setup.ts'
import { formatComparison } from './table.ts'
import type { MeasuredService } from './test-bed.ts'

const STREAMS = 1_000
const ROUNDS = 3
/** Every stream gets one heartbeat in this time. */
const WINDOW_SECONDS = 15
/** Heartbeats are a little more than 15 seconds apart, on a busy machine more, so some streams get theirs just outside. */
const MIN_HEARTBEATS = STREAMS * 0.9
const SETTLE_MS = 3_000

const INSERT_WAITING = `
INSERT INTO jobs (id, user_id, lane, priority, video_id, options, wake_at, created_at, updated_at)
SELECT id, user_id, 'normal', 'normal', 'dQw4w9WgXcQ', '{"summary_modes": ["tldr"]}', now() + interval '1 day', now(), now()
FROM unnest($1::uuid[], $2::uuid[]) AS j(id, user_id)`

/** Compares streams of events of jobs that wait. A unit is a second in which all streams are open. */
export const measureStreams: Part = async (bench) => {
  bench.say('this takes about four minutes')
  const setup = await openRequestSetup(bench)
  const { testBed, users, ours, same } = setup
  const jobs = Array.from({ length: STREAMS }, (_, nth) => ({ id: newId(), user: at(users, nth % users.length) }))
  const values = [jobs.map(({ id }) => id), jobs.map(({ user }) => user.userId)]
  await Promise.all([testBed.db.query(INSERT_WAITING, values), testBed.baseline.query(INSERT_WAITING, values)])
  const streams = jobs.map(({ id, user }) => ({ path: `/api/v1/videos/events/${id}`, headers: headersOf(user) }))
  const follower = testBed.start(new URL('./load-process.ts', import.meta.url))
  const report = () => follower.call<FollowReport>('reportFollowed')
  const side = ({ processes, origin }: MeasuredService): Side => ({
    processes,
    // Opening all streams takes longer than anything that warms up.
    warmUp: async () => {},
    async prepare() {
      await follower.call('follow', { origin, streams } satisfies FollowOptions)
      await sleep(SETTLE_MS)
      await report()
    },
    async run() {
      await sleep(WINDOW_SECONDS * 1_000)
      return { count: WINDOW_SECONDS, seconds: WINDOW_SECONDS }
    },
    async verify() {
      const { open, pieces } = await report()
      await follower.call('unfollow')
      if (open !== STREAMS || pieces < MIN_HEARTBEATS) {
        throw new Error(`${open} streams were open, and ${pieces} heartbeats arrived on them.`)
      }
    },
  })
  const comparison = await compare(testBed.servers, side(ours), side(same), ROUNDS)
  return formatComparison(`${STREAMS} idle event streams, one second`, 'same', comparison)
}
