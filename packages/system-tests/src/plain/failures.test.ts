import { ERRORS, type ErrorCode, type Job, JobFailedEvent } from '@subtext/contracts'
import { SAMPLE_TALKS, SAMPLE_VIDEOS, UNKNOWN_VIDEO_ID } from '@subtext/fakes'
import { findViolations, useClient, watchUrl } from '@subtext/testbed'
import { usePlainSystem } from './use-plain-system.ts'

/** Attempts of a job, by the retry schedule for tests. */
const ATTEMPTS = 2

type Sample = keyof typeof SAMPLE_VIDEOS

/** The error of each video that is not available; `reason` is part of its details. */
const FAILURES: [video: Sample | 'unknown', code: ErrorCode, reason: string | null][] = [
  ['private', 'TRANSCRIPT_UNAVAILABLE', 'private'],
  ['noCaptions', 'TRANSCRIPT_UNAVAILABLE', 'no_captions'],
  ['emptyCaptions', 'TRANSCRIPT_UNAVAILABLE', 'no_captions'],
  ['endedLive', 'TRANSCRIPT_UNAVAILABLE', 'not_yet_captioned'],
  ['unreadable', 'TRANSCRIPT_UNAVAILABLE', 'unreadable'],
  ['processing', 'TRANSCRIPT_UNAVAILABLE', 'not_yet_captioned'],
  ['removed', 'VIDEO_UNAVAILABLE', null],
  ['terminated', 'VIDEO_UNAVAILABLE', null],
  ['unknown', 'VIDEO_UNAVAILABLE', null],
  ['ageRestricted', 'AGE_RESTRICTED', null],
  ['membersOnly', 'VIDEO_NOT_ACCESSIBLE', 'members'],
  ['paid', 'VIDEO_NOT_ACCESSIBLE', 'payment'],
  ['geoBlocked', 'GEO_BLOCKED', null],
  ['liveNow', 'LIVE_NOT_ENDED', 'live'],
  ['upcomingLive', 'LIVE_NOT_ENDED', 'upcoming'],
  ['upcomingPremiere', 'LIVE_NOT_ENDED', 'upcoming'],
  ['botCheckAlways', 'UPSTREAM_BLOCKED', null],
  ['captchaAlways', 'UPSTREAM_BLOCKED', null],
  ['gatedForAll', 'UPSTREAM_BLOCKED', null],
  ['captionsWithheld', 'UPSTREAM_BLOCKED', null],
  ['emptyDocument', 'UPSTREAM_BLOCKED', null],
  ['serverErrorAlways', 'UPSTREAM_UNAVAILABLE', null],
  ['truncatedJson', 'UPSTREAM_UNAVAILABLE', null],
  ['formless', 'UPSTREAM_UNAVAILABLE', null],
  ['unknownState', 'UPSTREAM_UNAVAILABLE', null],
]
const idOf = (video: Sample | 'unknown'): string => (video === 'unknown' ? UNKNOWN_VIDEO_ID : SAMPLE_VIDEOS[video].id)

const system = usePlainSystem()
const client = useClient(system)
const jobs = new Map<string, string>()
beforeAll(async () => {
  const webhook_url = `${system.receiver.origin}/hook`
  for (const [video] of FAILURES) {
    jobs.set(video, await client.submit({ url: watchUrl(idOf(video)), webhook_url, client_reference: video }))
  }
  jobs.set('a good one', await client.submit({ url: watchUrl(SAMPLE_TALKS.german.id), webhook_url }))
})

test.each(FAILURES)('a video that is not available (%s) has the error %s', async (video, code, reason) => {
  const jobId = jobs.get(video) ?? ''
  const job = await client.follow(jobId)
  expect(job).toMatchObject({ status: 'failed', current_step: 'failed', client_reference: video })
  expect(job.error).toMatchObject({ code })
  if (reason) expect(job.error?.details).toMatchObject({ reason })

  const result = await client.get<Job>(`/videos/result/${jobId}`)
  expect(result.status).toBe(ERRORS[code].status)
  const { docs_url, ...shown } = result.error
  expect(docs_url).toContain(code)
  expect(shown).toEqual(job.error)

  const webhook = await system.receiver.waitFor(({ body }) => body.includes(jobId))
  const { data } = JobFailedEvent.parse(JSON.parse(webhook.body.toString()))
  expect(data).toMatchObject({ job_id: jobId, video_id: idOf(video), client_reference: video, error: job.error })
  expect(webhook.headers['x-webhook-event']).toBe('job.failed')
})

test('videos that are not available do not affect another video among them', async () => {
  expect((await client.follow(jobs.get('a good one') ?? '')).status).toBe('completed')
})

test('videos that are not available are tried again only after temporary errors, and do not count against the quota', async () => {
  const tried = await system.rows<{ code: string; attempts: number }>(
    "SELECT DISTINCT error->>'code' AS code, attempts FROM jobs WHERE user_id = $1 AND status = 'failed'",
    [client.userId],
  )
  const temporary = new Set(['UPSTREAM_BLOCKED', 'UPSTREAM_UNAVAILABLE'])
  expect(tried.length).toBeGreaterThan(temporary.size)
  for (const { code, attempts } of tried) expect([code, attempts]).toEqual([code, temporary.has(code) ? ATTEMPTS : 1])

  const used = await system.rows('SELECT used FROM quota_usage WHERE user_id = $1', [client.userId])
  expect(used).toEqual([{ used: 1 }, { used: 1 }])
  expect(await findViolations(system)).toEqual({})
})
