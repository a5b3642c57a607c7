import { StructuredResult } from '@subtext/contracts'
import { waitUntil } from '@subtext/embedded/testing'
import { SAMPLE_TALKS, SAMPLE_VIDEOS } from '@subtext/fakes'
import { at } from '@subtext/runtime'
import { type Client, useClient, watchUrl } from '@subtext/testbed'
import { usePlainSystem } from './use-plain-system.ts'

const TALKS = Object.values(SAMPLE_TALKS)
const JOBS = 50
const CHANGES = /subtext_platform_egress_changes_total\{egress="direct",state="resting"\} (\d+)/

const system = usePlainSystem()
const client = useClient(system)
beforeEach(() => system.platform.reset())

async function readResult(client: Client, jobId: string) {
  expect(await client.follow(jobId)).toMatchObject({ status: 'completed' })
  const { data, meta } = await client.get(`/videos/result/${jobId}?format=json`)
  return { ...StructuredResult.parse(data), warnings: (meta.warnings ?? []).map(({ code }) => code) }
}

test(`captions are fetched once for ${JOBS} jobs at once through one session, and each job gets its own`, async () => {
  const clients = await Promise.all(Array.from({ length: 3 }, () => system.createClient()))
  const jobs = await Promise.all(
    Array.from({ length: JOBS }, async (_, nth) => {
      const talk = at(TALKS, nth % TALKS.length)
      const owner = at(clients, nth % clients.length)
      const jobId = await owner.submit({ url: watchUrl(talk.id), force_refresh: nth % 5 === 0 })
      return { talk, owner, jobId }
    }),
  )
  for (const { talk, owner, jobId } of jobs) {
    const { video_info, transcript } = await readResult(owner, jobId)
    expect(video_info).toMatchObject({ video_id: talk.id, title: talk.title })
    // It is left out if it does not arrive in time, as on a busy machine.
    expect([new Date(talk.published).toISOString(), null]).toContain(video_info.published_at)
    expect(video_info.available_tracks).toHaveLength(talk.tracks.length)
    const manual = talk.tracks.find(({ kind }) => kind === 'manual')
    if (manual && transcript.kind === 'manual' && transcript.language === manual.language) {
      expect(transcript.segments.map(({ text }) => text)).toEqual(manual.cues().map(({ text }) => text))
    }
  }
  expect(system.platform.count({ kind: 'session' })).toBe(1)
  // A fetch serves the refreshes that were requested before it; a later one fetches again.
  const fetched = system.platform.count({ kind: 'timedtext' })
  expect(fetched).toBeGreaterThanOrEqual(TALKS.length)
  expect(fetched).toBeLessThanOrEqual(TALKS.length + JOBS / 5)
})

test('captions are not reported missing when the egress is blocked: jobs wait while it rests, and then it recovers', async () => {
  const countRests = async () => Number((await system.readMetrics('worker')).match(CHANGES)?.[1] ?? 0)
  const before = await countRests()
  const limited = { times: 99, outcome: { status: 429, headers: { 'retry-after': '1' } } }
  for (const kind of ['player', 'reel'] as const) system.platform.failNext({ kind, ...limited })
  const jobs = await Promise.all(
    TALKS.slice(0, 6).map(({ id }) => client.submit({ url: watchUrl(id), force_refresh: true })),
  )
  await waitUntil('a trial after the first rest was refused', async () => (await countRests()) - before >= 2)
  const requests = system.platform.count({ kind: 'player' }) + system.platform.count({ kind: 'reel' })
  const rests = (await countRests()) - before
  // Each job may have asked as two apps before the first rest. After that, only one job follows each rest, as a trial.
  expect(requests).toBeGreaterThanOrEqual(4)
  expect(requests).toBeLessThanOrEqual(2 * (jobs.length + rests))
  system.platform.reset()
  for (const jobId of jobs) await readResult(client, jobId)
  const metrics = await system.readMetrics('worker')
  expect(metrics).toMatch(/subtext_platform_egress_changes_total\{egress="direct",state="recovered"\} [1-9]/)
  expect(metrics).toMatch(/subtext_platform_attempts_total\{egress="direct",client="\w+",outcome="http_429"\} [1-9]/)
})

const resultOf = async (id: string, options: object = {}) =>
  readResult(client, await client.submit({ url: watchUrl(id), options }))

test('captions are all listed in a result, with the reason why one was chosen', async () => {
  const { video_info, transcript } = await resultOf(SAMPLE_VIDEOS.manyTracks.id, { language: 'pt' })
  expect(video_info.available_tracks).toHaveLength(36)
  expect(transcript).toMatchObject({ language: 'pt-BR', selection_reason: 'manual_language_variant' })
})

test('captions come from the manual track that one app does not list', async () => {
  const { transcript } = await resultOf(SAMPLE_VIDEOS.styledHidden.id)
  expect(transcript).toMatchObject({ kind: 'manual', language: 'en' })
})

test('captions come from the spoken language if that is preferred, and a warning says when they do not', async () => {
  const { id } = SAMPLE_VIDEOS.foreignManual
  const manual = await resultOf(id)
  expect(manual.transcript).toMatchObject({ kind: 'manual', language: 'de' })
  expect(manual.warnings).toContain('NOT_IN_SPOKEN_LANGUAGE')
  const spoken = await resultOf(id, { track_preference: 'spoken_language' })
  expect(spoken.transcript).toMatchObject({
    kind: 'auto',
    language: 'en',
    selection_reason: 'auto_spoken_language',
  })
  expect(spoken.warnings).not.toContain('NOT_IN_SPOKEN_LANGUAGE')
})

test.each(['emptyManual', 'soundsOnly'] as const)('captions come from the next track for %s', async (name) => {
  const { transcript, warnings } = await resultOf(SAMPLE_VIDEOS[name].id)
  expect(transcript).toMatchObject({ kind: 'auto', language: 'en', selection_reason: 'auto_spoken_language' })
  expect(warnings).toContain('TRACK_WITHOUT_SPEECH')
})

test('captions come from dubbed audio only if there are no others', async () => {
  const dubbed = await resultOf(SAMPLE_VIDEOS.dubbed.id, { language: 'de' })
  expect(dubbed.transcript).toMatchObject({ language: 'en' })
  expect(dubbed.warnings).toContain('LANGUAGE_NOT_AVAILABLE')
  const only = await resultOf(SAMPLE_VIDEOS.dubbedOnly.id)
  expect(only.transcript).toMatchObject({ language: 'de-DE' })
  expect(only.warnings).toEqual(expect.arrayContaining(['DUBBED_CAPTIONS', 'NOT_IN_SPOKEN_LANGUAGE']))
})

test('captions report what was cleaned away', async () => {
  const auto = TALKS.find(({ tracks }) => tracks.every(({ kind }) => kind === 'auto'))
  const { transcript } = await resultOf(auto?.id ?? SAMPLE_VIDEOS.tenHours.id)
  expect(transcript.kind).toBe('auto')
  expect(transcript.cleaning?.removed_non_speech).toBeGreaterThan(0)
  expect(transcript.cleaning?.characters_after).toBeLessThan(transcript.cleaning?.characters_before ?? 0)
  expect(transcript.segments.map(({ text }) => text).join(' ')).not.toMatch(/\[[^\]]+\]/)
})

test('captions come with comments if they are requested and exist', async () => {
  const talk = TALKS.find(({ comments }) => (comments?.length ?? 0) > 0)
  if (!talk) throw new Error('No sample has comments.')
  const { comments, warnings } = await resultOf(talk.id, { include_comments: true })
  expect(comments?.map(({ author }) => author)).toEqual(talk.comments?.map(({ author }) => author))
  expect(warnings).not.toContain('COMMENTS_UNAVAILABLE')
  expect((await resultOf(talk.id)).comments).toBeUndefined()
  system.platform.failNext({ kind: 'next', times: 99, outcome: { status: 500 } })
  const without = await resultOf(talk.id, { include_comments: true })
  expect(without.comments).toBeUndefined()
  expect(without.warnings).toContain('COMMENTS_UNAVAILABLE')
})
