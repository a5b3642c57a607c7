import { syncSource } from '@subtext/core/subscriptions'
import supertest from 'supertest'
import { useTestApi } from '../testing/api.ts'
import { acceptTestJob, completeTestJob } from '../testing/jobs.ts'
import { useTestSources } from '../testing/sources.ts'

const api = useTestApi()
const { send, ask, list } = useTestSources(api)

const ENCLOSURE = 'https://media.example.org/1.mp3'
const EPISODE = 'pod-aaaaaaaaaaaaaaaa'
const SILENT = 'pod-bbbbbbbbbbbbbbbb'
const episode = (transcripts: string[]) => ({
  url: ENCLOSURE,
  show: 'Show',
  description: '',
  language: 'en',
  transcripts: transcripts.map((url) => ({ url, language: 'en', name: 'text/vtt' })),
})
const FOUND = {
  title: 'Show',
  withTranscript: 1,
  videos: [
    { videoId: EPISODE, type: 'episode', title: 'One', episode: episode(['https://example.org/1.vtt']) },
    { videoId: SILENT, type: 'episode', reason: 'no_captions', episode: episode([]) },
  ],
}

let feeds = 0
let key: string
let sourceId: string
beforeEach(async () => {
  key = await api.createKey()
  sourceId = await list(key, `https://feeds.example.org/${++feeds}.xml`, FOUND)
})

const submit = (body: object, by = key) => send(by, 'post', '/videos/process').send(body)
const videoOf = (video_id: string) => ({ source: { source_id: sourceId, video_id } })

test('a podcast says its coverage, and its episodes where they are', async () => {
  expect((await send(key, 'get', `/sources/${sourceId}`)).body.data).toMatchObject({
    kind: 'podcast',
    url: `https://feeds.example.org/${feeds}.xml`,
    videos_total: 2,
    coverage: { episodes: 2, with_transcript: 1 },
  })
  const { body } = await send(key, 'get', `/sources/${sourceId}/videos`).query({ type: 'episode' })
  expect(body.data.videos).toMatchObject([
    { video_id: EPISODE, video_url: ENCLOSURE, state: 'listed' },
    { video_id: SILENT, state: 'unavailable', reason: 'no_captions' },
  ])
})

test('an episode is accepted by its source, as a job that is at its enclosure', async () => {
  const { status, body } = await submit(videoOf(EPISODE))
  expect(status).toBe(202)
  expect(body.data).toMatchObject({ video_id: EPISODE, video_url: ENCLOSURE })
  const shown = await send(key, 'get', `/videos/status/${body.data.job_id}`)
  expect(shown.body.data).toMatchObject({ video_id: EPISODE, video_url: ENCLOSURE, video_title: 'One' })
  const estimate = await send(key, 'post', '/videos/estimate').send(videoOf(EPISODE))
  expect(estimate.body.data).toMatchObject({ video_id: EPISODE, would_accept: true })
  const listed = await send(key, 'get', `/sources/${sourceId}/videos`)
  expect(listed.body.data.videos[0]).toMatchObject({ job_id: body.data.job_id, job_status: 'queued' })
})

test('a batch takes the episodes that have a transcript', async () => {
  const { status, body } = await send(key, 'post', '/batch/process').send({ source: { source_id: sourceId } })
  expect([status, body.data.selected, body.data.remaining]).toEqual([202, 1, 0])
  const shown = await send(key, 'get', `/videos/status/${body.data.jobs[0].job_id}`)
  expect(shown.body.data).toMatchObject({ video_id: EPISODE, video_url: ENCLOSURE, video_title: 'One' })
})

/** Has the items of a subscription written as if its source had just been listed. Returns the ID of the subscription. */
async function follow(): Promise<string> {
  const { body } = await send(key, 'post', '/subscriptions').send({
    source_id: sourceId,
    action: 'notify',
    catch_up: 1,
  })
  const { rows } = await api.context.db.query<{ id: string }>(
    'UPDATE sources s SET listed_at = $2 FROM account_sources a WHERE a.id = $1 AND s.id = a.source_id RETURNING s.id',
    [sourceId, api.context.clock()],
  )
  await syncSource(api.context, rows[0]?.id ?? '', [])
  return body.data.subscription_id
}

test('items of a subscription and the entries of its feed say where episodes are', async () => {
  const id = await follow()
  const { body } = await send(key, 'get', `/subscriptions/${id}/items`)
  expect(body.data.items).toMatchObject([
    { video_id: EPISODE, video_url: ENCLOSURE, type: 'episode', state: 'waiting' },
    { video_id: SILENT, video_url: ENCLOSURE, state: 'skipped', reason: 'before_subscription' },
  ])
  await api.context.db.query(
    "UPDATE subscription_items SET state = 'notified', ended_at = now() WHERE subscription_id = $1 AND video_id = $2",
    [id, EPISODE],
  )
  expect(await readFeed({ subscription_id: id })).toMatchObject([{ id: ENCLOSURE, url: ENCLOSURE, title: 'One' }])
})

test('the feed of a podcast links to its episodes and to moments in them', async () => {
  expect(await readFeed({ source_id: sourceId })).toEqual([])
  const jobId = await acceptTestJob(api.context, key, { videoId: EPISODE, videoUrl: ENCLOSURE })
  await completeTestJob(api.context, jobId)
  const [entry] = await readFeed({ source_id: sourceId })
  expect(entry).toMatchObject({ url: ENCLOSURE })
  expect(entry.content_html).toContain(`href="${ENCLOSURE}#t=`)
})

async function readFeed(about: object) {
  const { body } = await send(key, 'post', '/feeds').send(about)
  const { text, body: bytes } = await supertest(api.app).get(new URL(body.data.url_json).pathname)
  return JSON.parse(text ?? String(bytes)).items
}

test('an episode without a transcript is refused at once', async () => {
  const refused = await submit(videoOf(SILENT))
  expect(refused).toBeRefused(422, 'TRANSCRIPT_UNAVAILABLE')
  expect(refused.body.error.details).toEqual({ reason: 'no_captions' })
})

test.each([
  ['an unknown episode', () => videoOf('pod-cccccccccccccccc'), 'source.video_id'],
  ['an address beside the source', () => ({ ...videoOf(EPISODE), url: 'dQw4w9WgXcQ' }), 'source'],
  ['neither', () => ({}), 'url'],
  ['a source without an episode', () => ({ source: { source_id: sourceId } }), 'source.video_id'],
])('refuses %s', async (_, build, path) => {
  expect(await submit(build())).toBeRefused(400, 'VALIDATION_ERROR', path)
})

test('the source of another account is not found', async () => {
  expect(await submit(videoOf(EPISODE), await api.createKey())).toBeRefused(404, 'NOT_FOUND')
})

test('the sample feed is served, and is a source by any of its addresses', async () => {
  const { text, headers } = await supertest(api.app).get('/samples/podcast.xml')
  expect(headers['content-type']).toBe('application/rss+xml; charset=utf-8')
  const transcripts = [...text.matchAll(/<podcast:transcript url="([^"]+)" type="([^"]+)"/g)]
  expect(transcripts.length).toBeGreaterThan(4)
  for (const [, path = '', type = ''] of transcripts) {
    const served = await supertest(api.app).get(`/samples/${path}`)
    expect([served.status, served.headers['content-type']]).toEqual([200, `${type}; charset=utf-8`])
  }
  expect((await supertest(api.app).get('/samples/podcast/sbtx-x-none.vtt')).status).toBe(404)
  const urls = ['/samples/podcast.xml', `${api.context.http.publicBaseUrl}/samples/podcast.xml`]
  const [first, second] = await Promise.all(urls.map((url) => ask(key, url)))
  expect(first?.body.data).toMatchObject({ kind: 'podcast', url: urls[1] })
  expect(second?.body.data.source_id).toBe(first?.body.data.source_id)
})

test('the sound of the sample feed is served, whole and from a moment on', async () => {
  const { text } = await supertest(api.app).get('/samples/podcast.xml')
  const enclosures = [...text.matchAll(/<enclosure url="([^"]+)" type="audio\/mpeg" length="(\d+)"/g)]
  expect(enclosures.length).toBeGreaterThan(4)
  for (const [, path = '', length] of enclosures) {
    const { status, headers } = await supertest(api.app).head(`/samples/${path}`)
    expect([status, headers['content-type'], headers['content-length']]).toEqual([200, 'audio/mpeg', length])
  }
  const [, path = '', length = ''] = enclosures[0] ?? []
  const part = await supertest(api.app).get(`/samples/${path}`).set('Range', 'bytes=36000-')
  expect([part.status, part.headers['content-range']]).toEqual([206, `bytes 36000-${Number(length) - 1}/${length}`])
  // Each frame begins with a sync word, so that a player can begin at any of them.
  expect((part.body as Buffer).subarray(0, 4).toString('hex')).toBe('fff318c4')
})
