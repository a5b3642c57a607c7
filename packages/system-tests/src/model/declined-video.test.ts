import { DefaultResult, DOCUMENT_FORMATS, isTranscript, JobCompletedEvent, StructuredResult } from '@subtext/contracts'
import { readEvents } from '@subtext/contracts/testing'
import { useClient, watchUrl } from '@subtext/testbed'
import { createSummaryJobs, MODEL } from './summary-jobs.ts'
import { useModelSystem } from './use-model-system.ts'

const OPTIONS = { summary_modes: ['tldr', 'detailed'] }

/** The video, its job, and the batch of another video that the model declines too. */
interface Declined {
  video: string
  jobId: string
  batchId: string
}

const system = useModelSystem()
const { client, newVideo, finish } = createSummaryJobs(system, useClient(system, { scopes: ['admin'] }))
const declined: Declined = { video: '', jobId: '', batchId: '' }
beforeAll(async () => {
  system.messagesApi.failNext({ kind: 'refusal' }, { times: 999 })
  declined.video = newVideo()
  const webhook_url = `${system.receiver.origin}/hook`
  declined.jobId = await client.submit({ url: watchUrl(declined.video), options: OPTIONS, webhook_url })
  await client.follow(declined.jobId)
  const batch = await client.post<{ batch_id: string; jobs: { job_id: string }[] }>('/batch/process', {
    videos: [{ url: watchUrl(newVideo()), options: OPTIONS }],
  })
  declined.batchId = batch.data.batch_id
  await client.follow(batch.data.jobs[0]?.job_id ?? '')
  system.messagesApi.forgetFaults()
})

const fetchResult = async (query: string) => {
  const response = await client.fetch(`/videos/result/${declined.jobId}${query}`)
  expect(response.status).toBe(200)
  return response
}

test('a video that the model declines to summarize has its transcript, a warning for each mode, and a receipt', async () => {
  const { data, meta } = await client.get(`/videos/result/${declined.jobId}?format=json`)
  const { transcript, summaries, usage, quality } = StructuredResult.parse(data)
  expect(transcript.segments.length).toBeGreaterThan(100)
  expect(summaries).toEqual({})
  expect(meta.warnings).toEqual(
    OPTIONS.summary_modes.map((mode) => ({
      code: 'SUMMARY_MODE_UNAVAILABLE',
      message: `The summary \`${mode}\` could not be written: the language model declined to summarize this video.`,
    })),
  )
  expect(usage).toMatchObject({ model: MODEL, cached: false, by_mode: {} })
  expect(usage.overhead?.fresh_input_tokens).toBeGreaterThan(0)
  expect(quality).toMatchObject({ coverage: null, strategy: null, unsupported_claims: 0 })
  const [entry] = await system.rows<{ input: number }>(
    'SELECT input_tokens AS input FROM usage_entries WHERE job_id = $1',
    [declined.jobId],
  )
  expect(entry?.input).toBe(usage.input_tokens)
})

test('a video that the model declines to summarize has its transcript in every format', async () => {
  const { data } = (await (await fetchResult('')).json()) as { data: unknown }
  const { transcript, summaries } = DefaultResult.parse(data)
  expect(summaries).toEqual({})
  expect(transcript.text.length).toBeGreaterThan(1_000)
  for (const format of DOCUMENT_FORMATS) {
    const text = await (await fetchResult(`?format=${format}`)).text()
    if (isTranscript(format)) {
      // A passage has many lines of captions.
      expect(text.split('\n').length).toBeGreaterThan(format === 'chunks' ? 10 : 100)
      continue
    }
    expect(text).toContain('Transcript')
    expect(text).not.toMatch(/Summary|TL;DR|undefined|null/)
    expect(text.length).toBeGreaterThan(transcript.text.length / 2)
  }
})

test('a video that the model declines to summarize is completed in its webhook, its events and its batch', async () => {
  const webhook = await system.receiver.waitFor(({ body }) => body.includes(declined.jobId))
  const { event, data } = JobCompletedEvent.parse(JSON.parse(webhook.body.toString()))
  expect([event, data.summaries]).toEqual(['job.completed', {}])

  const names = []
  for await (const { name, data } of readEvents(await client.fetch(`/videos/events/${declined.jobId}`))) {
    names.push(name)
    expect(data).toMatchObject({ status: 'completed', warnings: [{}, {}] })
  }
  expect(names).toEqual(['completed'])

  for (const query of ['', '?format=json']) {
    const { data: results } = await client.get<{ successful_jobs: { summaries: object }[] }>(
      `/batch/results/${declined.batchId}${query}`,
    )
    expect(results).toMatchObject({ summary_stats: { successful: 1, failed: 0 } })
    expect(results.successful_jobs.map(({ summaries }) => summaries)).toEqual([{}])
  }
})

test('a video that the model declines to summarize has its summaries once the model writes them', async () => {
  const { data } = await finish(declined.video, OPTIONS)
  expect(Object.keys(StructuredResult.parse(data).summaries)).toEqual(OPTIONS.summary_modes)
})
