import { SAMPLE_TALKS } from '@subtext/fakes'
import { type TestSystem, watchUrl } from '@subtext/server/testing'

const COUNTERS = {
  accepted:
    /^subtext_http_request_seconds_count\{method="POST",route="\/api\/v1\/videos\/process",status="202"\} (\d+)$/m,
  unknownRoutes: /^subtext_http_request_seconds_count\{method="GET",route="unknown",status="404"\} (\d+)$/m,
  completed: /^subtext_jobs_total\{outcome="completed"\} (\d+)$/m,
  delivered: /^subtext_webhook_attempts_total\{result="2xx"\} (\d+)$/m,
}

export function testMetrics(system: TestSystem): void {
  async function read() {
    const texts = [
      await system.readMetrics('api'),
      await system.readMetrics('worker'),
      await system.readMetrics('webhooks'),
    ]
    const [api = '', worker = '', webhooks = ''] = texts
    const count = (text: string, counter: RegExp): number => Number(text.match(counter)?.[1] ?? 0)
    return {
      texts,
      accepted: count(api, COUNTERS.accepted),
      unknownRoutes: count(api, COUNTERS.unknownRoutes),
      completed: count(worker, COUNTERS.completed),
      delivered: count(webhooks, COUNTERS.delivered),
    }
  }

  test('count what happens in each app, and contain no key, ID or address of a caller', async () => {
    const before = await read()
    const client = await system.createClient()
    const { id: videoId } = system.addCopy(SAMPLE_TALKS.english)
    const jobId = await client.submit({ url: watchUrl(videoId), webhook_url: `${system.receiver.origin}/hook-of-mine` })
    await client.follow(jobId)
    await system.receiver.waitFor(({ body }) => body.includes(jobId))
    await fetch(`${system.baseUrl}/nowhere/${client.key}`)
    const { texts, ...after } = await read()

    expect(after).toEqual({
      accepted: before.accepted + 1,
      unknownRoutes: before.unknownRoutes + 1,
      completed: before.completed + 1,
      delivered: before.delivered + 1,
    })
    expect(texts[0]).toMatch(/^subtext_request_limit_fallbacks_total \d+$/m)
    for (const text of texts) {
      expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m)
      for (const secret of [client.key, client.userId, jobId, 'hook-of-mine', videoId]) {
        expect(text).not.toContain(secret)
      }
    }
  })
}
