import { failure, useTestService } from '../testing/serve.ts'
import { pauseMs } from './sleep.ts'

const serve = useTestService()

describe('the pauses between attempts', () => {
  test.each([0, 2_000])(
    'begin at the %i ms that the service asks for, and grow whatever the jitter',
    (retryAfterMs) => {
      for (const attempt of [0, 1, 2, 3]) {
        const [longest, next] = [
          pauseMs(attempt, retryAfterMs, () => 0.999),
          pauseMs(attempt + 1, retryAfterMs, () => 0),
        ]
        expect(longest).toBeGreaterThan(retryAfterMs)
        expect(next).toBeGreaterThan(longest)
      }
    },
  )

  test('end at 8 seconds without such a request', () => {
    expect([pauseMs(9, 0, () => 0), pauseMs(9, 0, () => 1)]).toEqual([4_000, 8_000])
  })

  test('separate the requests for a service that asks for none', async () => {
    const service = await serve(failure(503, 'SERVICE_UNAVAILABLE', true, { 'Retry-After': '0' }))
    const { usage, videos } = service.client()
    await expect(usage.current({ signal: AbortSignal.timeout(700) })).rejects.toThrow('timeout')
    await expect(videos.waitFor('job-1', { timeoutMs: 700 })).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(service.requests.length).toBeLessThanOrEqual(4)
  })
})
