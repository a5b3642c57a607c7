import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { jest } from '@jest/globals'
import { DOCUMENT_FORMATS } from '@subtext/contracts'
import { waitUntil } from '@subtext/embedded/testing'
import { strFromU8, unzipSync } from 'fflate'
import supertest from 'supertest'
import { holderOf } from '../testing/accounts.ts'
import { useTestApi } from '../testing/api.ts'
import { acceptTestBatch, acceptTestJob, completeTestJob } from '../testing/jobs.ts'
import { newVideoId, useTestLibrary } from '../testing/library.ts'
import { listedId, newTestList, severalVideos, useTestSources } from '../testing/sources.ts'

const api = useTestApi()
const library = useTestLibrary(api)
const sources = useTestSources(api)
const LIBRARY = '/api/v1/library/export'

const get = (key: string, path: string, query: Record<string, string> = {}) =>
  supertest(api.app).get(path).query(query).set('Authorization', `Bearer ${key}`).buffer(true).responseType('blob')

async function unzip(key: string, path = LIBRARY, query: Record<string, string> = {}): Promise<Record<string, string>> {
  const { status, headers, body } = await get(key, path, query)
  expect([status, headers['content-type']]).toEqual([200, 'application/zip'])
  return Object.fromEntries(Object.entries(unzipSync(body)).map(([name, bytes]) => [name, strFromU8(bytes)]))
}

async function lines(key: string, path: string): Promise<{ title: string; text: string }[]> {
  const { status, headers, body } = await get(key, path, { format: 'chunks' })
  expect([status, headers['content-type']]).toEqual([200, 'application/x-ndjson'])
  return body
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line: string) => JSON.parse(line))
}

test.each(DOCUMENT_FORMATS.filter((format) => format !== 'chunks'))(
  'a library is exported as %s, as the results are',
  async (format) => {
    const key = await api.createKey({ plan: 'free' })
    const jobId = await library.say(key, ['Rain falls.'], { info: { title: 'Rain: a "short" story' } })
    const [[name = '', text] = []] = Object.entries(await unzip(key, LIBRARY, { format }))
    expect(name).toMatch(/^Rain a short story \([\w-]{11}\)\.\w+$/)
    const result = await get(key, `/api/v1/videos/result/${jobId}`, { format })
    expect(text).toBe(result.body.toString())
  },
)

test('some jobs are exported alone, also older ones of a video, and none of somebody else', async () => {
  const key = await api.createKey()
  const videoId = newVideoId()
  const older = await library.say(key, ['Old rain falls.'], { videoId, info: { title: 'Rain' } })
  await library.say(key, ['New rain falls.'], { videoId, info: { title: 'Rain' } })
  const snow = await library.say(key, ['Snow falls.'], { info: { title: 'Snow' } })
  await library.say(key, ['Hail falls.'], { info: { title: 'Hail' } })
  const pending = await acceptTestJob(api.context, key)
  const files = await unzip(key, LIBRARY, { job_ids: [older, snow.toUpperCase(), pending].join(','), format: 'text' })
  expect(
    Object.keys(files)
      .map((name) => name.slice(0, 4))
      .sort(),
  ).toEqual(['Rain', 'Snow'])
  expect(Object.values(files).join()).toContain('Old rain falls.')
  expect(Object.values(files).join()).not.toContain('New rain')
  const statusOf = async (asked: string, by = key) => (await get(by, LIBRARY, { job_ids: asked })).status
  expect(await statusOf(older, await api.createKey())).toBe(404)
  expect(await statusOf(`${older},x`)).toBe(404)
  expect(await statusOf(Array.from({ length: 101 }, () => older).join(','))).toBe(400)
})

test('the format is Markdown unless another is named, and JSON and PDF are none', async () => {
  const key = await api.createKey()
  await library.say(key, ['Rain falls.'])
  expect(Object.keys(await unzip(key))[0]).toMatch(/\.md$/)
  for (const format of ['json', 'pdf', 'nonsense']) {
    const response = await supertest(api.app).get(LIBRARY).query({ format }).set('Authorization', `Bearer ${key}`)
    expect(response).toBeRefused(400, 'VALIDATION_ERROR')
  }
  const unknown = await supertest(api.app).get(LIBRARY).query({ colour: 'red' }).set('Authorization', `Bearer ${key}`)
  expect(unknown).toBeRefused(400, 'VALIDATION_ERROR')
})

test('chunks of a library are lines of one file', async () => {
  const key = await api.createKey()
  await library.say(key, ['Rain falls.'], { info: { title: 'A' } })
  await library.say(key, ['Snow falls.'], { info: { title: 'B' } })
  const found = await lines(key, LIBRARY)
  expect(found.map(({ title, text }) => [title, text]).sort()).toEqual([
    ['A', 'Rain falls.'],
    ['B', 'Snow falls.'],
  ])
})

test('an export is empty where nothing is completed, and has nothing of other accounts', async () => {
  const [key, other] = [await api.createKey(), await api.createKey()]
  await library.say(other, ['Rain falls.'])
  await acceptTestJob(api.context, key)
  expect(await unzip(key)).toEqual({})
  expect(await lines(key, LIBRARY)).toEqual([])
  const batch = await acceptTestBatch(api.context, key, 2)
  expect(await unzip(key, `/api/v1/batch/export/${batch}`)).toEqual({})
  expect(await lines(key, `/api/v1/batch/export/${batch}`)).toEqual([])
  const foreign = await supertest(api.app).get(`/api/v1/batch/export/${batch}`).set('Authorization', `Bearer ${other}`)
  expect(foreign).toBeRefused(404, 'NOT_FOUND')
})

test('has the newest job of a video, under the name that the video had first', async () => {
  const key = await api.createKey()
  const videoId = newVideoId()
  await library.say(key, ['Old words.'], { videoId, info: { title: 'First title' } })
  await library.say(key, ['New words.'], { videoId, info: { title: 'Second title' } })
  const files = await unzip(key)
  expect(Object.keys(files)).toEqual([`First title (${videoId}).md`])
  expect(files[`First title (${videoId}).md`]).toContain('New words.')
})

test('names of videos whose IDs differ only by case differ without it, in every export', async () => {
  const key = await api.createKey()
  const [first, second] = ['aaaaBBBBccc', 'AAAAbbbbCCC']
  const say = (videoId: string) => library.say(key, [videoId], { videoId, info: { title: 'Same' } })
  await say(second)
  const before = Object.keys(await unzip(key))
  const since = new Date().toISOString()
  await say(first)
  const names = Object.keys(await unzip(key))
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(2)
  expect(names).toEqual(expect.arrayContaining(before))
  expect(names).toEqual(expect.arrayContaining(Object.keys(await unzip(key, LIBRARY, { since }))))
})

test('since selects what was completed at or after a time', async () => {
  const key = await api.createKey()
  await library.say(key, ['Rain falls.'], { info: { title: 'Old' } })
  const jobId = await library.say(key, ['Snow falls.'], { info: { title: 'New' } })
  const { body } = await supertest(api.app).get(`/api/v1/videos/status/${jobId}`).set('Authorization', `Bearer ${key}`)
  const names = async (since: string) =>
    Object.keys(await unzip(key, LIBRARY, { since })).map((name) => name.slice(0, 3))
  expect(await names(body.data.completed_at)).toEqual(['New'])
  expect(await names('2026-01-01')).toHaveLength(2)
  expect(await names('2099-01-01')).toEqual([])
  const wrong = await supertest(api.app).get(LIBRARY).query({ since: 'soon' }).set('Authorization', `Bearer ${key}`)
  expect(wrong).toBeRefused(400, 'VALIDATION_ERROR')
})

test('source_id selects the videos of a source of the account', async () => {
  const key = await api.createKey()
  const source_id = await sources.list(key, newTestList(), { videos: severalVideos(1) })
  await library.say(key, ['Rain falls.'], { videoId: listedId(1), info: { title: 'Listed' } })
  await library.say(key, ['Snow falls.'])
  expect(Object.keys(await unzip(key, LIBRARY, { source_id }))).toEqual([`Listed (${listedId(1)}).md`])
  const other = await api.createKey()
  const foreign = await supertest(api.app).get(LIBRARY).query({ source_id }).set('Authorization', `Bearer ${other}`)
  expect(foreign).toBeRefused(404, 'NOT_FOUND')
})

test('a batch is exported while it is running, with one document for each video', async () => {
  const key = await api.createKey()
  const batch = await acceptTestBatch(api.context, key, 3)
  const { rows } = await api.context.db.query<{ id: string }>(
    'SELECT id FROM jobs WHERE batch_id = $1 ORDER BY batch_index',
    [batch],
  )
  for (const { id } of rows.slice(0, 2)) await completeTestJob(api.context, id)
  const files = await unzip(key, `/api/v1/batch/export/${batch}`, { format: 'obsidian' })
  expect(Object.keys(files)).toEqual(['Rivers & the sea (dQw4w9WgXcQ).md'])
  expect(Object.values(files)[0]).toContain(`job_id: "${rows[1]?.id}"`)
  expect(await lines(key, `/api/v1/batch/export/${batch}`)).toHaveLength(1)
})

test('an account writes two exports at a time', async () => {
  const key = await api.createKey()
  await library.say(key, ['Rain falls.'])
  const { userId } = await holderOf(api.context, key)
  const releases = [api.context.acquireResultExport(userId), api.context.acquireResultExport(userId)]
  for (const format of ['markdown', 'chunks']) {
    const refused = await supertest(api.app).get(LIBRARY).query({ format }).set('Authorization', `Bearer ${key}`)
    expect(refused).toBeRefused(429, 'RATE_LIMITED')
  }
  for (const release of releases) release()
  expect(Object.keys(await unzip(key))).toHaveLength(1)
})

/**
 * Text that hardly becomes shorter when it is compressed, because its lines come again too late, and is more than the buffers of a
 * connection hold.
 */
const NOISE = Array.from({ length: 100_000 }, (_, nth) =>
  createHash('sha512')
    .update(String(nth % 2_000))
    .digest('base64'),
)

async function begin(path: string, key: string): Promise<IncomingMessage> {
  const { port } = await api.serve()
  const sent = request({ port, path, headers: { authorization: `Bearer ${key}` } }).end()
  const [response] = await once(sent, 'response')
  return (response as IncomingMessage).on('error', () => {})
}

test.each(['markdown', 'chunks'])('an export as %s ends when its reader leaves', async (format) => {
  const key = await api.createKey()
  await library.say(key, NOISE)
  const { userId } = await holderOf(api.context, key)
  const count = jest.spyOn(api.context.metrics, 'countExport')
  const response = await begin(`${LIBRARY}?format=${format}`, key)
  const held = api.context.acquireResultExport(userId)
  expect(() => api.context.acquireResultExport(userId)).toThrow()
  response.destroy()
  await waitUntil('the export ends', async () => {
    try {
      api.context.acquireResultExport(userId)()
      return true
    } catch {
      return false
    }
  })
  held()
  expect(count.mock.calls).toEqual([['library', 'abandoned']])
  count.mockRestore()
})

test.each(['markdown', 'chunks'])('an export as %s that fails in the middle does not look whole', async (format) => {
  const key = await api.createKey()
  const said = NOISE.slice(0, 20_000)
  const jobs = [await library.say(key, said), await library.say(key, said)]
  await api.context.db.query(
    `DELETE FROM transcript_parts WHERE part_no = 10 AND transcript_id IN (SELECT transcript_id FROM results WHERE job_id = ANY ($1::uuid[]))`,
    [jobs],
  )
  const count = jest.spyOn(api.context.metrics, 'countExport')
  const response = await begin(`${LIBRARY}?format=${format}`, key)
  const chunks: Buffer[] = []
  await expect(async () => {
    for await (const chunk of response) chunks.push(chunk)
  }).rejects.toThrow('aborted')
  expect(chunks.length).toBeGreaterThan(0)
  expect(count.mock.calls).toEqual([['library', 'failed']])
  count.mockRestore()
  if (format === 'markdown') expect(Buffer.concat(chunks).includes('PK\u0005\u0006')).toBe(false)
})
