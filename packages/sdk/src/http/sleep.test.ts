import { getEventListeners } from 'node:events'
import { failure, useTestService } from '../testing/serve.ts'
import { pauseMs, sleep } from './sleep.ts'

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

test('pauses that share a signal end with it, and add no listeners to it, of which Node.js would warn', async () => {
  const controller = new AbortController()
  const pauses = Array.from({ length: 11 }, () => sleep(60_000, controller.signal))
  expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  controller.abort(new Error('enough'))
  for (const { status, ...rest } of await Promise.allSettled(pauses)) {
    expect([status, rest]).toEqual(['rejected', { reason: new Error('enough') }])
  }
})
