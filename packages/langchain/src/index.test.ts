import { data, failure, useTestService } from '@subtext/sdk/testing'
import { SubtextLoader, SubtextRetriever } from './index.ts'

const serve = useTestService()

const CHUNK = {
  id: 'job-1:0',
  text: 'The ocean floor.',
  start: 1.5,
  end: 4,
  url: 'https://youtu.be/x?t=1s',
  title: 'A talk',
  language: 'en',
}
const PASSAGE = { text: 'The ocean floor.', start: 1.5, end: 4, url: 'https://youtu.be/x?t=1s', segment_ids: [3, 4] }
const hit = (job: string, passages: number) => ({
  job_id: job,
  video_id: 'x',
  video_title: 'A talk',
  channel: { name: 'A channel' },
  passages: Array.from({ length: passages }, () => PASSAGE),
})
const page = (hits: object[], next_cursor: string | null) => data({ hits, pagination: { next_cursor } })

test('the loader loads each passage with the address of its moment', async () => {
  const { url, requests } = await serve((response) => response.end(`${JSON.stringify(CHUNK)}\n`.repeat(2)))
  const documents = await new SubtextLoader({ apiKey: 'sk_test', baseUrl: url, jobId: 'job-1' }).load()
  expect(documents).toHaveLength(2)
  expect(documents[0]).toMatchObject({
    id: 'job-1:0',
    pageContent: 'The ocean floor.',
    metadata: { source: 'https://youtu.be/x?t=1s', title: 'A talk', start: 1.5, end: 4, language: 'en' },
  })
  expect(requests[0]?.url).toBe('/api/v1/videos/result/job-1?format=chunks')
})

test('the loader throws the error of a job that has not ended', async () => {
  const { url } = await serve(failure(409, 'JOB_NOT_COMPLETED', true))
  await expect(new SubtextLoader({ apiKey: 'sk_test', baseUrl: url, jobId: 'job-1' }).load()).rejects.toMatchObject({
    code: 'JOB_NOT_COMPLETED',
  })
})

test('the retriever returns the k best passages, and asks for no page that it does not need', async () => {
  const { url, requests } = await serve(page([hit('job-1', 2)], 'next'), page([hit('job-2', 3)], 'more'))
  const retriever = new SubtextRetriever({ apiKey: 'sk_test', baseUrl: url, k: 4, sourceId: 's', language: 'en' })
  const found = await retriever.invoke('What is on the ocean floor?')
  expect(found.map(({ metadata }) => metadata.job_id)).toEqual(['job-1', 'job-1', 'job-2', 'job-2'])
  expect(found[0]).toMatchObject({
    id: 'job-1:3',
    pageContent: 'The ocean floor.',
    metadata: { source: PASSAGE.url, title: 'A talk', start: 1.5, end: 4, video_id: 'x', channel: 'A channel' },
  })
  expect(Object.fromEntries(new URL(requests[0]?.url ?? '', url).searchParams)).toEqual({
    q: 'What is on the ocean floor?',
    kind: 'question',
    source_id: 's',
    language: 'en',
    limit: '4',
  })
  expect(requests).toHaveLength(2)
})

test('the retriever returns fewer passages if there are no more', async () => {
  const { url } = await serve(page([hit('job-1', 1)], null))
  expect(await new SubtextRetriever({ apiKey: 'sk_test', baseUrl: url }).invoke('ocean')).toHaveLength(1)
})

test('the retriever cuts a question that is longer than searches may be, after a word', async () => {
  const { url, requests } = await serve(page([], null))
  await new SubtextRetriever({ apiKey: 'sk_test', baseUrl: url }).invoke('ocean '.repeat(50))
  const sent = new URL(requests[0]?.url ?? '', url).searchParams.get('q')
  expect(sent).toBe('ocean '.repeat(33).trim())
})
