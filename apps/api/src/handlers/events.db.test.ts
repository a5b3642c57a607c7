import { DefaultResult, following, ServiceError, type SummaryMode } from '@subtext/contracts'
import type { ReceivedEvent } from '@subtext/contracts/testing'
import { cancelJob, letJobWait, reportStep } from '@subtext/core/jobs'
import supertest from 'supertest'
import type { ApiContext } from '../context.ts'
import { namesOf, readAllEvents, useEventApi } from '../testing/events.ts'
import {
  acceptTestJob,
  addTestSummary,
  claimTestJob,
  completeTestJob,
  endTestJob,
  failTestJob,
  saveTestTranscript,
} from '../testing/jobs.ts'

const eventApi = useEventApi()

const MODES: SummaryMode[] = ['detailed', 'timestamped', 'tldr']
const acceptWithModes = () =>
  acceptTestJob(eventApi.api.context, eventApi.key, {
    options: {
      summary_modes: MODES,
      max_transcript_length: 10_000_000,
      include_comments: false,
      generate_infographic: false,
    },
  })

describe('the events of a job', () => {
  const seen: ReceivedEvent[] = []
  let jobId: string

  test('show every step, every summary as soon as it is finished, and the end', async () => {
    jobId = await acceptWithModes()
    const reader = await eventApi.follow(jobId)
    const keep = (event: ReceivedEvent) => {
      seen.push(event)
      return event
    }
    const next = async () => keep(await reader.next())
    expect(await next()).toMatchObject({
      name: 'progress',
      data: { job_id: jobId, status: 'queued', progress_percentage: 0, current_step: 'queued' },
    })
    const lease = await claimTestJob(eventApi.api.context, jobId)
    const transcriptId = await saveTestTranscript(eventApi.api.context)
    let progress = 10
    const report = async () => {
      progress += 20
      await reportStep(eventApi.api.context, lease, 'summarizing', progress)
    }
    await report()
    const reported = await reader.until(({ data }) => data.progress_percentage === progress)
    expect(keep(reported)).toMatchObject({ name: 'progress', data: { status: 'processing' } })
    for (const mode of MODES) {
      await addTestSummary(eventApi.api.context, jobId, transcriptId, mode)
      await report()
      expect(await next()).toMatchObject({ name: 'summary', data: { job_id: jobId, mode, model: 'model-a' } })
      expect(await next()).toMatchObject({ name: 'progress', data: { progress_percentage: progress } })
    }
    const warnings = [{ code: 'TRANSCRIPT_TRUNCATED' as const, message: 'Cut.' }]
    await endTestJob(eventApi.api.context, lease, transcriptId, { warnings })
    expect(await next()).toMatchObject({
      name: 'completed',
      data: {
        status: 'completed',
        progress_percentage: 100,
        estimated_time_remaining: 0,
        result_url: `${eventApi.api.context.http.publicBaseUrl}/api/v1/videos/result/${jobId}`,
        warnings,
      },
    })
    expect(await reader.isOver()).toBe(true)
    for (const { name, data } of seen) following.events.events[name as 'progress'].parse(data)
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length)
  })

  test('contain the same texts as the result', async () => {
    const path = `/api/v1/videos/result/${jobId}`
    const { body } = await supertest(eventApi.api.app).get(path).set('X-API-Key', eventApi.key)
    const { summaries } = DefaultResult.parse(body.data)
    const sent = seen.filter(({ name }) => name === 'summary').map(({ data }) => [data.mode, data.text])
    expect(Object.fromEntries(sent)).toEqual(summaries)
    expect(summaries.timestamped).toContain('&t=3s')
  })

  test('resume after any event at any process with exactly the remaining ones', async () => {
    const beside = eventApi.api.openBeside()
    const port = await eventApi.serve(beside.context)
    expect(namesOf(seen)).toEqual(['progress', 'progress', ...MODES.flatMap((mode) => [mode, 'progress']), 'completed'])
    for (const [place, { id }] of seen.slice(0, -1).entries()) {
      const rest = namesOf(seen.slice(place + 1)).filter((name) => name !== 'progress')
      expect(namesOf(await readAllEvents(await eventApi.open(jobId, { lastEventId: id, port })))).toEqual(rest)
    }
    await beside.close()
  })

  test('show when a job that waits for the platform is tried again, and when it is', async () => {
    const waiting = await acceptWithModes()
    const lease = await claimTestJob(eventApi.api.context, waiting)
    const reader = await eventApi.follow(waiting)
    expect((await reader.next()).data).not.toHaveProperty('next_attempt_at')
    await letJobWait(eventApi.api.context, lease, 600)
    const { name, id, data } = await reader.next()
    expect({ name, data }).toMatchObject({ name: 'progress', data: { next_attempt_at: expect.any(String) } })
    const resumed = await eventApi.follow(waiting, { lastEventId: id })
    await eventApi.api.context.db.query("UPDATE jobs SET wake_at = now() - interval '1 s' WHERE id = $1", [waiting])
    await claimTestJob(eventApi.api.context, waiting)
    for (const each of [reader, resumed]) {
      const next = await each.until(({ data: { status } }) => status === 'processing')
      expect(next).toMatchObject({ name: 'progress', data: { progress_percentage: data.progress_percentage } })
      expect(next.data).not.toHaveProperty('next_attempt_at')
    }
  })

  test('resume with a job ID in upper case', async () => {
    const response = await eventApi.open(jobId.toUpperCase(), { lastEventId: seen.at(-1)?.id })
    expect([response.status, await response.text()]).toEqual([204, ''])
  })

  test('end with 204 for a reader that has the final event', async () => {
    const response = await eventApi.open(jobId, { lastEventId: seen.at(-1)?.id })
    expect([response.status, await response.text()]).toEqual([204, ''])
  })

  test('start from the beginning for an event ID that does not belong to the job', async () => {
    const all = [...MODES, 'completed']
    expect(namesOf(await readAllEvents(await eventApi.open(jobId)))).toEqual(all)
    const other = await acceptTestJob(eventApi.api.context, eventApi.key)
    await completeTestJob(eventApi.api.context, other)
    const ofOther = (await readAllEvents(await eventApi.open(other))).at(-1)?.id
    const malformed = ['', '7', 'x'.repeat(5_000), `${jobId}/tldr`, `${jobId}/nonsense/end`, `${jobId}//end/`, '%00']
    for (const lastEventId of [ofOther, ...malformed]) {
      expect(namesOf(await readAllEvents(await eventApi.open(jobId, { lastEventId })))).toEqual(all)
    }
  })
})

describe('the events of a job that is still running', () => {
  test('resume without repetitions and include what has happened in the meantime', async () => {
    const jobId = await acceptWithModes()
    const lease = await claimTestJob(eventApi.api.context, jobId)
    const transcriptId = await saveTestTranscript(eventApi.api.context)
    await addTestSummary(eventApi.api.context, jobId, transcriptId, 'tldr')
    const first = await eventApi.follow(jobId)
    const last = [await first.next(), await first.next()].at(-1)
    expect(last).toMatchObject({ name: 'progress' })

    const unchanged = await eventApi.follow(jobId, { lastEventId: last?.id })
    expect(await unchanged.isSilentFor(500)).toBe(true)
    await addTestSummary(eventApi.api.context, jobId, transcriptId, 'detailed')
    const changed = await eventApi.follow(jobId, { lastEventId: last?.id })
    expect(await changed.next()).toMatchObject({ name: 'summary', data: { mode: 'detailed' } })
    expect(await changed.isSilentFor(300)).toBe(true)
    // The job has not ended, so an ID that claims to be its end was made up.
    const invented = await eventApi.follow(jobId, { lastEventId: `${jobId}/tldr+detailed/end` })
    expect(await invented.next()).toMatchObject({ name: 'progress', data: { status: 'processing' } })
    await endTestJob(eventApi.api.context, lease, transcriptId)
  })

  test.each([
    ['fails', (ctx: ApiContext, id: string) => failTestJob(ctx, id, new ServiceError('GEO_BLOCKED')), 'GEO_BLOCKED'],
    [
      'is cancelled',
      async (ctx: ApiContext, id: string) => {
        const { rows } = await ctx.db.query<{ userId: string }>('SELECT user_id AS "userId" FROM jobs WHERE id = $1', [
          id,
        ])
        await cancelJob(ctx, { userId: rows[0]?.userId ?? '', apiKeyId: '', plan: 'pro', scopes: [] }, id)
      },
      'JOB_CANCELLED',
    ],
  ])('end with the error when the job %s', async (_, end, code) => {
    const jobId = await acceptTestJob(eventApi.api.context, eventApi.key)
    const reader = await eventApi.follow(jobId)
    await reader.next()
    await end(eventApi.api.context, jobId)
    const last = await reader.until(({ name }) => name !== 'progress')
    expect(last).toMatchObject({ name: 'failed', data: { status: 'failed', error: { code } } })
    following.events.events.failed.parse(last.data)
    expect(last.data).not.toHaveProperty('result_url')
    expect(await reader.isOver()).toBe(true)
  })
})
