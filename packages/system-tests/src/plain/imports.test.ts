import type { StructuredResult } from '@subtext/contracts'
import { Subtext } from '@subtext/sdk'
import { useClient } from '@subtext/testbed'
import type { z } from 'zod'
import { usePlainSystem } from './use-plain-system.ts'

const CAPTIONS = `WEBVTT
Language: en

00:01.000 --> 00:04.000
<v Ana Torres>Good morning. The budget of the observatory is three million euros this year.</v>

00:05.000 --> 00:09.000
<v Ben Okafor>We bought a telescope with a mirror of two metres for the northern dome.</v>

00:10.000 --> 00:14.000
<v Ana Torres>The old mirror goes to the school in the valley, which asked for it.</v>

100:00:00.000 --> 100:00:02.000
<v Ben Okafor>&lt;Thank you&gt; &amp; goodbye.</v>
`

const system = usePlainSystem()
const client = useClient(system, { scopes: ['admin'] })
const other = useClient(system, { scopes: ['admin'] })
const connect = (key = client.key): Subtext => new Subtext({ apiKey: key, baseUrl: system.baseUrl })

type Structured = z.infer<typeof StructuredResult>

const readText = async (path: string): Promise<string> => {
  const response = await fetch(`${system.baseUrl}/api/v1${path}`, {
    headers: { Authorization: `Bearer ${client.key}` },
  })
  expect(response.status).toBe(200)
  return response.text()
}

test('imported captions become a result in every format, with the speakers that they name', async () => {
  const { videos, chat, library } = connect()
  const job = await videos.import({
    captions: CAPTIONS,
    title: 'Budget meeting',
    media_url: 'https://media.example.com/budget.mp4',
    channel_name: 'Observatory',
    options: { summary_modes: ['tldr', 'timestamped'], include_comments: true },
  })
  expect(await client.follow(job.job_id)).toMatchObject({ status: 'completed', video_title: 'Budget meeting' })
  const { data } = await client.get<Structured>(`/videos/result/${job.job_id}?format=json`)
  expect(data.video_info).toMatchObject({
    video_id: job.video_id,
    url: 'https://media.example.com/budget.mp4',
    title: 'Budget meeting',
    source: { kind: 'import' },
  })
  expect(data.transcript).toMatchObject({ language: 'en', selection_reason: 'imported' })
  expect(data.transcript.segments.map(({ start, speaker }) => [start, speaker])).toEqual([
    [1, 'Ana Torres'],
    [5, 'Ben Okafor'],
    [10, 'Ana Torres'],
    [360_000, 'Ben Okafor'],
  ])
  const urls = Object.values(data.summaries).flatMap((summary) => summary?.citations.map(({ url }) => url) ?? [])
  expect(urls.length).toBeGreaterThan(0)
  for (const url of urls) expect(url).toMatch(/^https:\/\/media\.example\.com\/budget\.mp4#t=\d+$/)

  for (const format of ['markdown', 'text', 'html']) {
    expect(await readText(`/videos/result/${job.job_id}?format=${format}`)).toContain('Ana Torres: Good morning.')
  }
  const vtt = await readText(`/videos/result/${job.job_id}?format=vtt`)
  expect(vtt).toContain('100:00:00.000 --> 100:00:02.000\n<v Ben Okafor>&lt;Thank you&gt; &amp; goodbye.')
  const pdf = await fetch(`${system.baseUrl}/api/v1/videos/export/${job.job_id}/pdf`, {
    headers: { Authorization: `Bearer ${client.key}` },
  })
  expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf'])

  const answer = await chat.ask(job.job_id, 'What about the mirror?')
  expect(answer.citations[0]?.url).toMatch(/^https:\/\/media\.example\.com\/budget\.mp4#t=\d+$/)
  const { items } = await library.search('telescope').page()
  expect(items).toMatchObject([{ job_id: job.job_id, video_url: 'https://media.example.com/budget.mp4' }])

  const derived = await videos.derive(job.job_id, { summary_modes: ['detailed'] })
  expect(await client.follow(derived.job_id)).toMatchObject({ status: 'completed', video_id: job.video_id })
})

test('without an address, moments are linked to on the page of the job, also for derived jobs', async () => {
  const { videos } = connect()
  const job = await videos.import({ captions: CAPTIONS, title: 'No address' })
  await client.follow(job.job_id)
  const derived = await videos.derive(job.job_id, { summary_modes: ['key_insights'] })
  await client.follow(derived.job_id)
  for (const id of [job.job_id, derived.job_id]) {
    const { data } = await client.get<Structured>(`/videos/result/${id}?format=json`)
    expect(data.video_info.url).toMatch(new RegExp(`/jobs/${id}$`))
    const [first] = Object.values(data.summaries).flatMap((summary) => summary?.citations ?? [])
    expect(first?.url).toMatch(new RegExp(`/jobs/${id}#t=\\d+$`))
  }
})

test('another account that imports the same captions shares nothing', async () => {
  const body = { captions: CAPTIONS, title: 'Shared' }
  const own = await connect().videos.import(body)
  await client.follow(own.job_id)
  const foreign = await connect(other.key).videos.import(body)
  await other.follow(foreign.job_id)
  expect(foreign.video_id).not.toBe(own.video_id)
  const rows = await system.rows<{ count: number }>(
    `SELECT count(DISTINCT js.summary_id)::int AS count FROM job_summaries js WHERE js.job_id = ANY ($1::uuid[])`,
    [[own.job_id, foreign.job_id]],
  )
  expect(rows[0]?.count).toBe(2)
  expect((await connect(other.key).library.search('telescope').page()).items).toHaveLength(1)
})
