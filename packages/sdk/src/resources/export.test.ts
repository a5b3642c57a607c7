import { failure, useTestService } from '../testing/serve.ts'

const serve = useTestService()

test('exports a library and a batch as streams, in the format and since the time that are asked for', async () => {
  const service = await serve((response) => void response.end('archive'))
  const { library, batches } = service.client()
  const archive = await library.export({ format: 'obsidian', since: '2026-11-01', sourceId: 'source-1' })
  expect(await archive.text()).toBe('archive')
  const lines = await batches.export('batch-1', { format: 'chunks' })
  expect(await lines.text()).toBe('archive')
  await library.export({ jobIds: ['job-1', 'job-2'] })
  await library.export()
  expect(service.requests.map(({ method, url, headers }) => [method, url, headers.accept])).toEqual([
    ['GET', '/api/v1/library/export?format=obsidian&since=2026-11-01&source_id=source-1', '*/*'],
    ['GET', '/api/v1/batch/export/batch-1?format=chunks', '*/*'],
    ['GET', '/api/v1/library/export?job_ids=job-1%2Cjob-2', '*/*'],
    ['GET', '/api/v1/library/export', '*/*'],
  ])
})

test('an export is asked for again while others are being written', async () => {
  const service = await serve(
    failure(429, 'RATE_LIMITED', true, { 'Retry-After': '0' }),
    (response) => void response.end('archive'),
  )
  expect(await (await service.client().library.export()).text()).toBe('archive')
})
