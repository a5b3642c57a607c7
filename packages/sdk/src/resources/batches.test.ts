import { data, failure, reset, useTestService } from '../testing/serve.ts'

const serve = useTestService()

describe('batches.waitFor', () => {
  test.each([
    ['before the first request', 0, 'completed'],
    ['between two requests', 100, 'processing'],
  ])('returns a batch that ended in time, %s', async (_, timeoutMs, first) => {
    const service = await serve(data({ batch_id: 'b', status: first }), data({ batch_id: 'b', status: 'completed' }))
    expect(await service.client().batches.waitFor('b', { timeoutMs })).toMatchObject({ status: 'completed' })
  })

  test('looks a last time even if the service has asked for a longer pause', async () => {
    const service = await serve(
      failure(503, 'SERVICE_UNAVAILABLE', true, { 'Retry-After': '30' }),
      data({ batch_id: 'b', status: 'completed' }),
    )
    const waiting = service.client().batches.waitFor('b', { timeoutMs: 50 })
    expect(await waiting).toMatchObject({ status: 'completed' })
  })

  test('ends in time although a request hangs, and outlasts more failures than other calls', async () => {
    const service = await serve(() => undefined)
    const client = service.client({ maxRetries: 0 })
    const waiting = client.batches.waitFor('b', { timeoutMs: 50 })
    await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError', message: expect.stringContaining('50 ms') })
    service.replyWith(data({ batch_id: 'b' }), reset, reset, data({ batch_id: 'b', status: 'completed' }))
    await client.batches.status('b')
    expect(await client.batches.waitFor('b')).toMatchObject({ status: 'completed' })
  })

  test('returns the batch once all of its jobs have ended', async () => {
    const service = await serve(data({ batch_id: 'b', status: 'partial_failure' }))
    expect(await service.client().batches.waitFor('b')).toMatchObject({ status: 'partial_failure' })
  })

  test('throws a timeout while jobs are still running', async () => {
    const service = await serve(data({ batch_id: 'b', status: 'processing' }))
    await expect(service.client().batches.waitFor('b', { timeoutMs: 10 })).rejects.toMatchObject({
      name: 'TimeoutError',
    })
  })
})
