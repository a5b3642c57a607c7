import { data, failure, reset, useTestService } from '../testing/serve.ts'

const serve = useTestService()
const COMPLETED = { digest_id: 'd-1', status: 'completed' }

test('makes a digest once, although the first try broke off', async () => {
  const service = await serve(reset, data({ digest_id: 'd-1' }))
  expect(await service.client().digests.create('b/1', { instructions: 'Be brief.' })).toEqual({ digest_id: 'd-1' })
  expect(service.requests.map(({ method, url }) => [method, url])).toEqual(
    Array(2).fill(['POST', '/api/v1/batch/digest/b%2F1']),
  )
  expect(new Set(service.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
})

test('waits until a digest has ended, through an outage of the service', async () => {
  const service = await serve(
    data({ digest_id: 'd-1', status: 'processing' }),
    failure(503, 'SERVICE_UNAVAILABLE', true, { 'Retry-After': '0' }),
    data(COMPLETED),
  )
  expect(await service.client().digests.wait('d-1')).toEqual(COMPLETED)
})

test('says that a digest goes on when it was not completed in time', async () => {
  const service = await serve(data({ digest_id: 'd-1', status: 'processing' }))
  await expect(service.client().digests.wait('d-1', { timeoutMs: 50 })).rejects.toThrow(/It goes on/)
})

test('returns a document as it is', async () => {
  const service = await serve((response) => void response.end('# Digest'))
  expect(await (await service.client().digests.document('d-1', 'markdown')).text()).toBe('# Digest')
  expect(service.requests[0]?.url).toBe('/api/v1/digests/d-1?format=markdown')
})
