import { data, useTestService } from '../testing/serve.ts'

const serve = useTestService()

const page = (ids: string[], cursor: string | null) =>
  data({
    jobs: ids.map((job_id) => ({ job_id })),
    pagination: { total: 3, limit: 2, offset: 0, has_more: cursor !== null, next_offset: null, next_cursor: cursor },
  })

test('reads every page of a list by its cursor', async () => {
  const service = await serve(page(['1', '2'], 'c1'), page(['3'], null))
  const ids: string[] = []
  for await (const { job_id } of service.client().videos.list({ status: 'completed', limit: 2 })) ids.push(job_id)
  expect(ids).toEqual(['1', '2', '3'])
  expect(service.requests.map(({ url }) => url)).toEqual([
    '/api/v1/videos/?status=completed&limit=2',
    '/api/v1/videos/?status=completed&limit=2&cursor=c1',
  ])
})

test('requests no page that is not read', async () => {
  const service = await serve(page(['1', '2'], 'c1'))
  for await (const _ of service.client().videos.list()) break
  expect(service.requests).toHaveLength(1)
})

test('returns the first page with the total', async () => {
  const service = await serve(page(['1', '2'], 'c1'))
  const { items, pagination } = await service.client().videos.list().page()
  expect([items.length, pagination.total]).toEqual([2, 3])
})
