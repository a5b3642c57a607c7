import { failure, reset, useTestService } from '../testing/serve.ts'

const serve = useTestService()
const deleted = (response: Parameters<typeof reset>[0]) => void response.writeHead(204).end()
const notFound = failure(404, 'NOT_FOUND', false)

test('deletes a job', async () => {
  const service = await serve(deleted)
  expect(await service.client().videos.delete('job-1')).toBeUndefined()
  expect(service.requests).toMatchObject([{ method: 'DELETE', url: '/api/v1/videos/job-1' }])
})

test('a deletion whose answer was lost succeeds if the job is gone at the second attempt', async () => {
  const service = await serve(reset, notFound)
  expect(await service.client().videos.delete('job-1')).toBeUndefined()
})

test.each([
  ['NOT_FOUND', notFound],
  ['JOB_NOT_COMPLETED', failure(409, 'JOB_NOT_COMPLETED', true)],
])('throws %s, with the job that could not be deleted', async (code, responder) => {
  const service = await serve(responder)
  await expect(service.client().videos.delete('job-1')).rejects.toMatchObject({ code, jobId: 'job-1' })
})
