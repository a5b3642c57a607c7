import {
  type JobReceipt,
  type ReceiptLine,
  StructuredResult,
  type SubmittedJob,
  type SummaryMode,
} from '@subtext/contracts'
import { longVideo } from '@subtext/fakes'
import { findViolations, useClient, watchUrl } from '@subtext/testbed'
import type { z } from 'zod'
import { useModelSystem } from './use-model-system.ts'

const ADDED: SummaryMode[] = ['detailed', 'study_notes', 'timestamped', 'key_insights']

const system = useModelSystem()
const client = useClient(system)
// The titles differ, so that the provider's cache serves no video in place of another.
const newVideo = (title: string, hours: number): string =>
  system.addCopy(longVideo({ id: 'sbtx-derive', hours, title })).id

async function finish(jobId: string) {
  expect(await client.follow(jobId)).toMatchObject({ status: 'completed' })
  return StructuredResult.parse((await client.get(`/videos/result/${jobId}?format=json`)).data)
}
const submit = async (videoId: string, modes: SummaryMode[]) =>
  client.submit({ url: watchUrl(videoId), options: { summary_modes: modes } })

const receiptOf = async (jobId: string) => (await client.get<JobReceipt>(`/videos/receipt/${jobId}`)).data
const requestsIn = (lines: ReceiptLine[]) => lines.find(({ kind }) => kind === 'platform')?.quantity

test.each([
  ['a short video', 1 / 20],
  ['a video with a call of each mode', 1 / 3],
])(
  'derived jobs cost no more than the added modes alone, without a request to the platform, for %s',
  async (_, hours) => {
    const alone = await finish(await submit(newVideo('The Harbour Log A', hours), ADDED))
    const before = system.platform.requests.length
    const source = await submit(newVideo('The Harbour Log B', hours), ['tldr'])
    const first = await finish(source)
    const requests = system.platform.requests.length
    const { lines } = await receiptOf(source)
    expect(requestsIn(lines)).toBe(requests - before)
    const { status, data } = await client.post<z.infer<typeof SubmittedJob>>(`/videos/derive/${source}`, {
      summary_modes: ADDED,
    })
    expect([status, data.derived_from]).toEqual([202, source])
    const derived = await finish(data.job_id)
    expect(system.platform.requests).toHaveLength(requests)
    expect(Object.keys(derived.summaries)).toEqual(['tldr', ...ADDED])
    expect(derived.summaries.tldr).toEqual(first.summaries.tldr)
    expect(derived.transcript).toEqual(first.transcript)
    expect(alone.usage.cost_usd).toBeGreaterThan(0)
    const receipt = await receiptOf(data.job_id)
    expect([requestsIn(receipt.lines), receipt.quota_effect]).toEqual([0, 0])
    expect(receipt.total).toEqual({ cost_usd: derived.usage.cost_usd, tokens: derived.usage.total_tokens })
    expect(derived.usage.cost_usd / alone.usage.cost_usd).toBeLessThanOrEqual(1.1)
  },
)

test('a derived job draws an infographic, whose link works without a key and keeps working', async () => {
  const source = await submit(newVideo('The Harbour Log C', 1 / 20), ['tldr'])
  const first = await finish(source)
  expect(first.infographic_url).toBeUndefined()
  const requests = system.platform.requests.length
  const { status, data } = await client.post<z.infer<typeof SubmittedJob>>(`/videos/derive/${source}`, {
    generate_infographic: true,
  })
  expect([status, data.derived_from]).toEqual([202, source])
  const derived = await finish(data.job_id)
  expect(derived.summaries).toEqual(first.summaries)
  expect(derived.infographic_alt_text).toContain('The Harbour Log C')
  expect(system.platform.requests).toHaveLength(requests)
  const { lines } = await receiptOf(data.job_id)
  expect(lines.filter(({ action }) => action === 'infographic')).toHaveLength(1)

  const fetchPicture = async () => {
    const response = await fetch(derived.infographic_url ?? '')
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
    return Buffer.from(await response.arrayBuffer())
  }
  const picture = await fetchPicture()
  expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1080, 1350])
  expect((await fetchPicture()).equals(picture)).toBe(true)
  // The source is as it was.
  expect(await finish(source)).toEqual(first)
})

test('derived jobs leave every invariant intact', async () => {
  expect(await findViolations(system)).toEqual({})
})
