import { Subtext } from '@subtext/sdk'
import { useClient } from '@subtext/testbed'
import { usePlainSystem } from './use-plain-system.ts'

const system = usePlainSystem()
const client = useClient(system, { scopes: ['admin'] })
const stranger = useClient(system, { scopes: ['admin'] })
const connect = (key = client.key): Subtext => new Subtext({ apiKey: key, baseUrl: system.baseUrl })

const said = (lines: string[]): string =>
  lines.map((line, nth) => `${nth + 1}\n00:00:${10 + nth * 5},000 --> 00:00:${14 + nth * 5},000\n${line}\n`).join('\n')
const MIRROR = said([
  'The telescope has a mirror of two metres.',
  'The mirror was ground in the valley for three years.',
  'Astronomers look at distant galaxies with it.',
])
const BUDGET = said([
  'The budget of the observatory is three million euros.',
  'The telescope with its mirror costs one million euros.',
  'Astronomers ask for more staff every year.',
])

async function processTwo(digest: boolean) {
  const { batches } = connect()
  const { batch_id } = await batches.submit({
    videos: [
      { import: { captions: MIRROR, title: 'The mirror' }, options: { summary_modes: ['tldr', 'key_insights'] } },
      { import: { captions: BUDGET, title: 'The budget' }, options: { summary_modes: [] } },
    ],
    digest,
  })
  return batches.waitFor(batch_id, { timeoutMs: 60_000 })
}

test('a batch has a digest of its own, as JSON and as documents, without what a deleted job said', async () => {
  const { digests, videos } = connect()
  const { batch_id, digest_id = '', jobs } = await processTwo(true)
  const digest = await digests.wait(digest_id, { timeoutMs: 60_000 })
  expect(digest).toMatchObject({
    digest_id,
    batch_id,
    status: 'completed',
    disagreements: [],
    videos: [
      { job_id: jobs[0]?.job_id, video_title: 'The mirror', status: 'completed', one_line: expect.any(String) },
      { job_id: jobs[1]?.job_id, video_title: 'The budget', status: 'completed', one_line: expect.any(String) },
    ],
    coverage: { videos: 2, failed: 0, points: expect.any(Number), points_used: expect.any(Number) },
    warnings: [{ code: 'MODEL_REQUIRED' }],
  })
  expect(digest.themes.length).toBeGreaterThan(0)
  const points = digest.themes.flatMap((theme) => theme.points)
  expect(points.every(({ citations }) => citations.length > 0)).toBe(true)
  expect(digest.coverage.points_used).toBe(points.length)

  const markdown = await (await digests.document(digest_id, 'markdown')).text()
  for (const text of ['The mirror', 'The budget', digest.themes[0]?.title ?? '-']) expect(markdown).toContain(text)
  expect(await (await digests.document(digest_id, 'html')).text()).toContain('<!DOCTYPE html>')
  const pdf = Buffer.from(await (await digests.document(digest_id, 'pdf')).arrayBuffer())
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')

  await videos.delete(jobs[1]?.job_id ?? '')
  const left = await digests.get(digest_id)
  expect(left.videos.map(({ video_title }) => video_title)).toEqual(['The mirror'])
  expect(JSON.stringify(left)).not.toMatch(/budget|million/i)
  await expect(connect(stranger.key).digests.get(digest_id)).rejects.toMatchObject({ status: 404 })
})

test('a digest is made of a batch that has ended, and refused before', async () => {
  const { digests, batches } = connect()
  const ended = await processTwo(false)
  expect(ended.digest_id).toBeUndefined()
  const { digest_id } = await digests.create(ended.batch_id, { output_language: 'de' })
  expect((await digests.wait(digest_id, { timeoutMs: 60_000 })).status).toBe('completed')
  expect((await batches.status(ended.batch_id)).digest_id).toBe(digest_id)
  // Nothing has to be said about it.
  const path = `${system.baseUrl}/api/v1/batch/digest/${ended.batch_id}`
  const response = await fetch(path, { method: 'POST', headers: { Authorization: `Bearer ${client.key}` } })
  expect([response.status, response.headers.get('location')]).toEqual([202, expect.stringContaining('/digests/')])
  await expect(digests.create('unknown')).rejects.toMatchObject({ status: 404 })
})
