import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { runCli } from '@subtext/cli/testing'
import type { StructuredResult } from '@subtext/contracts'
import { Subtext } from '@subtext/sdk'
import { useClient } from '@subtext/testbed'
import type { z } from 'zod'
import { usePlainSystem } from './use-plain-system.ts'

const system = usePlainSystem({ SAMPLE_VIDEOS: 'true', WEBHOOK_ALLOW_PRIVATE: 'true', JOB_RETRY_SCHEDULE: '1s,1s,1s' })
const client = useClient(system, { scopes: ['admin'] })
const connect = (): Subtext => new Subtext({ apiKey: client.key, baseUrl: system.baseUrl })

type Structured = z.infer<typeof StructuredResult>

interface Page {
  status?: number
  headers?: Record<string, string>
  body?: string | Buffer
}

const pages = new Map<string, Page>()
const asked: string[] = []
let server: Server
let origin: string

beforeAll(async () => {
  server = createServer(({ url = '' }, response) => {
    asked.push(url)
    const { status = 200, headers = {}, body = '' } = pages.get(url) ?? { status: 404 }
    response.writeHead(status, headers).end(body)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

const item = (name: string, more = ''): string =>
  `<item><title>Episode ${name}</title><guid>${name}</guid><enclosure url="/${name}.mp3" type="audio/mpeg"/>${more}</item>`
const feed = (...items: string[]): string =>
  `<rss version="2.0"><channel><title>Show</title>${items.join('')}</channel></rss>`

/** Lists the feed at a path. */
async function list(path: string) {
  const { sources } = connect()
  const { source_id } = await sources.ask(origin + path)
  return sources.waitFor(source_id).then(
    (source) => source,
    () => sources.get(source_id),
  )
}

test('the sample podcast says its coverage, and its episodes become results that link to their enclosures', async () => {
  const { sources, videos, chat, library } = connect()
  const { source_id } = await sources.ask(`${system.baseUrl}/samples/podcast.xml`)
  expect(await sources.waitFor(source_id)).toMatchObject({
    kind: 'podcast',
    title: 'Sample podcast',
    videos_total: 5,
    coverage: { episodes: 5, with_transcript: 4 },
  })
  const { items } = await sources.videos(source_id).page()
  expect(items.map(({ type, state, reason }) => [type, state, reason])).toEqual([
    ...Array.from({ length: 4 }, () => ['episode', 'listed', undefined]),
    ['episode', 'unavailable', 'no_captions'],
  ])
  for (const { video_id, video_url } of items) {
    expect(video_id).toMatch(/^pod-[A-Za-z0-9_-]{16}$/)
    expect(video_url).toMatch(/\/samples\/podcast\/[\w-]+\.mp3$/)
  }

  const [newest, , , , silent] = items
  const source = { source_id, video_id: newest?.video_id ?? '' }
  const job = await videos.submit({ source, options: { summary_modes: ['tldr', 'timestamped'] } })
  expect(job).toMatchObject({ video_id: newest?.video_id, video_url: newest?.video_url })
  expect(await client.follow(job.job_id)).toMatchObject({ status: 'completed', video_title: newest?.title })
  const { data } = await client.get<Structured>(`/videos/result/${job.job_id}?format=json`)
  expect(data.video_info).toMatchObject({
    source: { kind: 'podcast' },
    url: newest?.video_url,
    channel: { name: 'Sample podcast' },
  })
  expect(data.transcript).toMatchObject({ language: 'en', name: 'text/vtt' })
  const urls = Object.values(data.summaries).flatMap((summary) => summary?.citations.map(({ url }) => url) ?? [])
  expect(urls.length).toBeGreaterThan(0)
  for (const url of urls) expect(url).toMatch(/\.mp3#t=\d+$/)

  const answer = await chat.ask(job.job_id, 'What about the ocean floor?')
  expect(answer.citations[0]?.url).toMatch(/\.mp3#t=\d+$/)
  expect((await library.search('ocean').page()).items).toMatchObject([{ job_id: job.job_id }])
  const pdf = await fetch(`${system.baseUrl}/api/v1/videos/export/${job.job_id}/pdf`, {
    headers: { Authorization: `Bearer ${client.key}` },
  })
  expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  const derived = await videos.derive(job.job_id, { summary_modes: ['key_insights'] })
  expect(await client.follow(derived.job_id)).toMatchObject({ status: 'completed' })

  const refused = videos.submit({ source: { source_id, video_id: silent?.video_id ?? '' } })
  await expect(refused).rejects.toMatchObject({
    code: 'TRANSCRIPT_UNAVAILABLE',
    status: 422,
    details: { reason: 'no_captions' },
  })
  await expect(videos.submit({ source: { source_id, video_id: 'pod-aaaaaaaaaaaaaaaa' } })).rejects.toMatchObject({
    status: 400,
  })
})

test('a batch processes episodes with transcripts in every format', async () => {
  const { sources, batches } = connect()
  const { source_id } = await sources.ask('/samples/podcast.xml')
  await sources.waitFor(source_id)
  const batch = await batches.submit({ source: { source_id }, options: { summary_modes: [] } })
  expect(batch).toMatchObject({ selected: 4, remaining: 0 })
  expect(await batches.waitFor(batch.batch_id)).toMatchObject({ status: 'completed' })
  const { stdout, stderr } = await runCli(['videos', `${system.baseUrl}/samples/podcast.xml`], {
    apiKey: client.key,
    baseUrl: system.baseUrl,
  })
  expect(stderr).toContain('Sample podcast: 5 episodes, 4 of them with a transcript')
  expect(stdout.trim().split('\n')).toHaveLength(5)
})

test('pages, redirects and packed feeds are followed, and a transcript is read by its content', async () => {
  const vtt = 'WEBVTT\n\n0.5 --> 2.0\n<v Ana>Good morning to everyone.\n\n2.0 --> 2.0\n<v Ben>Hello.\n'
  pages.set('/moved.xml', { status: 301, headers: { Location: '/show/feed.xml' } })
  pages.set('/show/feed.xml', {
    headers: { 'Content-Encoding': 'gzip' },
    body: gzipSync(
      feed(
        '<link xmlns="http://www.w3.org/2005/Atom" rel="next" href="page2.xml"/>',
        item(
          '2',
          '<podcast:transcript url="2.json" type="application/json"/><podcast:transcript url="2.txt" type="text/html"/>',
        ),
      ),
    ),
  })
  pages.set('/show/page2.xml', { body: feed(item('1'), item('2')) })
  pages.set('/show/2.txt', { body: vtt })
  pages.set('/show/2.json', { body: '{}' })
  expect(await list('/moved.xml')).toMatchObject({
    status: 'ready',
    videos_total: 2,
    coverage: { episodes: 2, with_transcript: 1 },
  })
  const { sources, videos } = connect()
  const { source_id } = await sources.ask(`${origin}/moved.xml`)
  const { items } = await sources.videos(source_id).page()
  const job = await videos.submit({ source: { source_id, video_id: items[0]?.video_id ?? '' } })
  expect(await client.follow(job.job_id)).toMatchObject({ status: 'completed' })
  const { data } = await client.get<Structured>(`/videos/result/${job.job_id}?format=json`)
  expect(data.transcript.segments.map(({ start, speaker, text }) => [start, speaker, text])).toEqual([
    [0.5, 'Ana', 'Good morning to everyone.'],
    [2, 'Ben', 'Hello.'],
  ])
})

test.each<[string, Page, string]>([
  ['private', { status: 401 }, 'private'],
  ['private', { status: 403 }, 'private'],
  ['not found', { status: 404 }, 'not_found'],
  ['gone', { status: 410 }, 'not_found'],
  ['no feed', { body: '<!doctype html><html><body>Hello</body></html>' }, 'not_a_feed'],
  ['a bomb', { body: `<!DOCTYPE rss [<!ENTITY a "lol">]>${feed(item('&a;'))}` }, 'not_a_feed'],
  ['broken off', { body: feed(item('1')).slice(0, -20) }, 'not_a_feed'],
  ['too large', { headers: { 'Content-Encoding': 'gzip' }, body: gzipSync(Buffer.alloc(20_000_001, 32)) }, 'too_large'],
])('a feed that is %s fails', async (name, page, reason) => {
  const path = `/${name.replaceAll(' ', '-')}-${page.status ?? 200}.xml`
  pages.set(path, page)
  const source = await list(path)
  expect(source).toMatchObject({ status: 'failed', error: { code: 'SOURCE_UNAVAILABLE', details: { reason } } })
})

test('a server that fails is asked three times', async () => {
  pages.set('/down.xml', { status: 503 })
  expect(await list('/down.xml')).toMatchObject({ status: 'failed', error: { code: 'UPSTREAM_UNAVAILABLE' } })
  expect(asked.filter((path) => path === '/down.xml')).toHaveLength(3)
})
