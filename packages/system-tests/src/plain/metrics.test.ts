import { waitUntil } from '@subtext/embedded/testing'
import { SAMPLE_TALKS } from '@subtext/fakes'
import { watchUrl } from '@subtext/testbed'
import { usePlainSystem } from './use-plain-system.ts'

const ACCEPTED =
  /^subtext_http_request_seconds_count\{method="POST",route="\/api\/v1\/videos\/process",status="202"\} (\d+)$/m
const UNKNOWN_ROUTES = /^subtext_http_request_seconds_count\{method="GET",route="unknown",status="404"\} (\d+)$/m
const FALLBACKS = /^subtext_request_limit_fallbacks_total (\d+)$/m
const COMPLETED = /^subtext_job_seconds_count\{lane="(?:high|normal)",outcome="completed"\} (\d+)$/gm
const DELIVERED = /^subtext_webhook_attempts_total\{result="2xx"\} (\d+)$/m

const system = usePlainSystem()
/** Returns what the database holds of what the worker and the webhook sender count: the apps of this system never restart. */
async function readDatabase() {
  const [row] = await system.rows<{ completed: number; delivered: number }>(
    `SELECT (SELECT count(*)::int FROM jobs WHERE status = 'completed') AS completed,
       (SELECT count(*)::int FROM webhook_attempts WHERE status_code BETWEEN 200 AND 299) AS delivered`,
  )
  return row
}
async function read() {
  const api = await system.readMetrics('api')
  const worker = await system.readMetrics('worker')
  const webhooks = await system.readMetrics('webhooks')
  const count = (text: string, counter: RegExp): number => Number(text.match(counter)?.[1] ?? 0)
  const sum = (text: string, counter: RegExp): number =>
    [...text.matchAll(counter)].reduce((total, [, value]) => total + Number(value), 0)
  return {
    texts: [api, worker, webhooks],
    fallbacks: count(api, FALLBACKS),
    counts: {
      accepted: count(api, ACCEPTED),
      unknownRoutes: count(api, UNKNOWN_ROUTES),
      completed: sum(worker, COMPLETED),
      delivered: count(webhooks, DELIVERED),
    },
  }
}

test('metrics count what happens in each app, and contain no key, ID or address of a caller', async () => {
  const { counts: before } = await read()
  const client = await system.createClient()
  const { id: videoId } = system.addCopy(SAMPLE_TALKS.english)
  const jobId = await client.submit({ url: watchUrl(videoId), webhook_url: `${system.receiver.origin}/hook-of-mine` })
  await client.follow(jobId)
  await system.receiver.waitFor(({ body }) => body.includes(jobId))
  await fetch(`${system.baseUrl}/nowhere/${client.key}`, { headers: { Accept: 'application/json' } })
  // An app counts a moment after it has written to the database.
  const { texts, counts, fallbacks } = await waitUntil('the counters agree with the database', async () => {
    const stored = await readDatabase()
    const now = await read()
    return now.counts.completed === stored?.completed && now.counts.delivered === stored.delivered && now
  })

  expect([counts.accepted - before.accepted, counts.unknownRoutes - before.unknownRoutes]).toEqual([1, 1])
  expect(counts.completed).toBeGreaterThan(before.completed)
  expect(counts.delivered).toBeGreaterThan(before.delivered)
  expect(texts[0]).toMatch(FALLBACKS)
  // Unless the API has logged that it suspended request limits, Redis counted every request.
  if (!(await system.readLogs()).includes('"request limits"')) expect(fallbacks).toBe(0)
  for (const text of texts) {
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m)
    for (const secret of [client.key, client.userId, jobId, 'hook-of-mine', videoId]) {
      expect(text).not.toContain(secret)
    }
  }
})
