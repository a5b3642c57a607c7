import { DefaultResult, following, ServiceError, type SummaryMode } from '@subtext/contracts'
import type { ReceivedEvent } from '@subtext/contracts/testing'
import { cancelJob, reportStep } from '@subtext/core/jobs'
import supertest from 'supertest'
import type { ApiContext } from '../context.ts'
import { type EventApi, namesOf, openEventApi, readAllEvents } from '../testing/events.ts'
import {
  acceptTestJob,
  addTestSummary,
  claimTestJob,
  completeTestJob,
  endTestJob,
  failTestJob,
  saveTestTranscript,
} from '../testing/jobs.ts'

let world: EventApi
beforeAll(async () => {
  world = await openEventApi()
})
afterAll(() => world.close())

const MODES: SummaryMode[] = ['detailed', 'timestamped', 'tldr']
const acceptWithModes = () =>
  acceptTestJob(world.api.context, world.key, {
    options: {
      summary_modes: MODES,
      max_transcript_length: 10_000_000,
      include_comments: false,
      generate_infographic: false,
    },
  })

describe('a job from its acceptance to its result', () => {
  const seen: ReceivedEvent[] = []
  let jobId: string

  test('every step, every summary as soon as it is there, and the end', async () => {
    jobId = await acceptWithModes()
    const reader = await world.follow(jobId)
    const next = async () => {
      const event = await reader.next()
      seen.push(event)
      return event
    }
    expect(await next()).toMatchObject({
      name: 'progress',
      data: { job_id: jobId, status: 'queued', progress_percentage: 0, current_step: 'queued' },
    })
    const lease = await claimTestJob(world.api.context, jobId)
    const transcriptId = await saveTestTranscript(world.api.context)
    let progress = 10
    const report = async () => {
      progress += 20
      await reportStep(world.api.context, lease, 'summarizing', progress)
    }
    await report()
    expect(await next()).toMatchObject({ name: 'progress', data: { status: 'processing', progress_percentage: 30 } })
    for (const mode of MODES) {
      await addTestSummary(world.api.context, jobId, transcriptId, mode)
      await report()
      expect(await next()).toMatchObject({ name: 'summary', data: { job_id: jobId, mode, model: 'model-a' } })
      expect(await next()).toMatchObject({ name: 'progress', data: { progress_percentage: progress } })
    }
    const warnings = [{ code: 'TRANSCRIPT_TRUNCATED' as const, message: 'Cut.' }]
    await endTestJob(world.api.context, lease, transcriptId, { warnings })
    expect(await next()).toMatchObject({
      name: 'completed',
      data: {
        status: 'completed',
        progress_percentage: 100,
        estimated_time_remaining: 0,
        result_url: `${world.api.context.http.publicBaseUrl}/api/v1/videos/result/${jobId}`,
        warnings,
      },
    })
    expect(await reader.isOver()).toBe(true)
    for (const { name, data } of seen) following.events.events[name as 'progress'].parse(data)
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length)
  })

  test('the texts are those of the result', async () => {
    const path = `/api/v1/videos/result/${jobId}`
    const { body } = await supertest(world.api.app).get(path).set('X-API-Key', world.key)
    const { summaries } = DefaultResult.parse(body.data)
    const sent = seen.filter(({ name }) => name === 'summary').map(({ data }) => [data.mode, data.text])
    expect(Object.fromEntries(sent)).toEqual(summaries)
    expect(summaries.timestamped).toContain('&t=3s')
  })

  test('who comes back after any event, to any process, gets exactly the rest', async () => {
    const beside = world.api.openBeside()
    const port = await world.serve(beside.context)
    expect(namesOf(seen)).toEqual(['progress', 'progress', ...MODES.flatMap((mode) => [mode, 'progress']), 'completed'])
    for (const [place, { id }] of seen.slice(0, -1).entries()) {
      const rest = namesOf(seen.slice(place + 1)).filter((name) => name !== 'progress')
      expect(namesOf(await readAllEvents(await world.open(jobId, { lastEventId: id, port })))).toEqual(rest)
    }
    await beside.close()
  })

  test('an id in capital letters is the same job, and its events go on', async () => {
    const response = await world.open(jobId.toUpperCase(), { lastEventId: seen.at(-1)?.id })
    expect([response.status, await response.text()]).toEqual([204, ''])
  })

  test('who has the end is told not to come back', async () => {
    const response = await world.open(jobId, { lastEventId: seen.at(-1)?.id })
    expect([response.status, await response.text()]).toEqual([204, ''])
  })

  test('an id that was not given out for this job counts as none', async () => {
    const everything = [...MODES, 'completed']
    expect(namesOf(await readAllEvents(await world.open(jobId)))).toEqual(everything)
    const other = await acceptTestJob(world.api.context, world.key)
    await completeTestJob(world.api.context, other)
    const ofOther = (await readAllEvents(await world.open(other))).at(-1)?.id
    const malformed = ['', '7', 'x'.repeat(5_000), `${jobId}/tldr`, `${jobId}/nonsense/end`, `${jobId}//end/`, '%00']
    for (const lastEventId of [ofOther, ...malformed]) {
      expect(namesOf(await readAllEvents(await world.open(jobId, { lastEventId })))).toEqual(everything)
    }
  })
})

describe('coming back to a job that goes on', () => {
  test('nothing is repeated, and what happened meanwhile is told', async () => {
    const jobId = await acceptWithModes()
    const lease = await claimTestJob(world.api.context, jobId)
    const transcriptId = await saveTestTranscript(world.api.context)
    await addTestSummary(world.api.context, jobId, transcriptId, 'tldr')
    const first = await world.follow(jobId)
    const last = [await first.next(), await first.next()].at(-1)
    expect(last).toMatchObject({ name: 'progress' })

    const unchanged = await world.follow(jobId, { lastEventId: last?.id })
    expect(await unchanged.isSilentFor(500)).toBe(true)
    await addTestSummary(world.api.context, jobId, transcriptId, 'detailed')
    const changed = await world.follow(jobId, { lastEventId: last?.id })
    expect(await changed.next()).toMatchObject({ name: 'summary', data: { mode: 'detailed' } })
    expect(await changed.isSilentFor(300)).toBe(true)
    // The end in the id of a job that has not ended is invented.
    const invented = await world.follow(jobId, { lastEventId: `${jobId}/tldr+detailed/end` })
    expect(await invented.next()).toMatchObject({ name: 'progress', data: { status: 'processing' } })
    await endTestJob(world.api.context, lease, transcriptId)
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
  ])('a job that %s', async (_, end, code) => {
    const jobId = await acceptTestJob(world.api.context, world.key)
    const reader = await world.follow(jobId)
    await reader.next()
    await end(world.api.context, jobId)
    const last = await reader.next()
    expect(last).toMatchObject({ name: 'failed', data: { status: 'failed', error: { code } } })
    following.events.events.failed.parse(last.data)
    expect(last.data).not.toHaveProperty('result_url')
    expect(await reader.isOver()).toBe(true)
  })
})
