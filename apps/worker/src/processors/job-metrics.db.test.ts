import { ServiceError } from '@subtext/contracts'
import { openTestWorker, type TestWorker } from '../testing/worker.ts'

let worker: TestWorker
beforeEach(async () => {
  worker = await openTestWorker()
})
afterEach(() => worker.close())

/** Returns the series of a metric that are not zero. */
async function read(name: string): Promise<string[]> {
  const lines = (await worker.registry.render()).split('\n')
  return lines.filter((line) => line.startsWith(`subtext_${name}`) && !line.endsWith(' 0')).map((line) => line.slice(8))
}

test('counts every attempt by its outcome, and the wait for the first one only', async () => {
  worker.stubs.beforeVideo = () => Promise.reject(new ServiceError('UPSTREAM_UNAVAILABLE'))
  const job = await worker.submit()
  await worker.run(job)
  worker.stubs.beforeVideo = async () => {}
  await worker.run(job)
  expect(await read('job_seconds_count')).toEqual([
    'job_seconds_count{lane="normal",outcome="completed"} 1',
    'job_seconds_count{lane="normal",outcome="postponed"} 1',
  ])
  expect(await read('job_wait_seconds_count')).toEqual(['job_wait_seconds_count{lane="normal"} 1'])
  expect(await read('job_takeovers_total')).toEqual([])
})

test('measures the wait from the acceptance of a job', async () => {
  const job = await worker.submit({ lane: 'high' })
  await worker.ctx.db.query("UPDATE jobs SET created_at = created_at - interval '9000 seconds'")
  await worker.run(job)
  expect(await read('job_wait_seconds_bucket{le="900"')).toEqual([])
  expect(await read('job_wait_seconds_bucket{le="+Inf"')).toEqual(['job_wait_seconds_bucket{le="+Inf",lane="high"} 1'])
})

test('counts a job that is taken over from a worker that died, and its wait no second time', async () => {
  const job = await worker.submit()
  await worker.ctx.claim(job.id)
  await worker.ctx.db.query("UPDATE jobs SET wake_at = now() - interval '1 s'")
  await worker.ctx.db.query("UPDATE leases SET until = now() - interval '1 s'")
  await worker.run(job)
  expect(await read('job_takeovers_total')).toEqual(['job_takeovers_total{lane="normal"} 1'])
  expect(await read('job_wait_seconds_count')).toEqual([])
})

test('measures each step once in an attempt, the interrupted one too', async () => {
  await worker.run(await worker.submit())
  const steps = ['fetching_video', 'fetching_captions', 'summarizing']
  expect(await read('job_step_seconds_count')).toEqual(steps.map((step) => `job_step_seconds_count{step="${step}"} 1`))
  worker.stubs.beforeVideo = () => Promise.reject(new ServiceError('VIDEO_UNAVAILABLE'))
  await worker.run(await worker.submit())
  expect(await read('job_step_seconds_count{step="fetching_video"}')).toEqual([
    'job_step_seconds_count{step="fetching_video"} 2',
  ])
})
