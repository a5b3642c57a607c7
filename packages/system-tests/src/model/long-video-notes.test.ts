import { StructuredResult } from '@subtext/contracts'
import { waitUntil } from '@subtext/embedded/testing'
import { longVideo } from '@subtext/fakes'
import { findViolations, useClient, watchUrl } from '@subtext/testbed'
import { useModelSystem } from './use-model-system.ts'

const system = useModelSystem()
const client = useClient(system, { scopes: ['admin'] })

const isOfPart = ({ instruction }: { instruction: string }) => instruction.startsWith('This is part ')

/** Adds a video of two hours, which is read in parts. */
const newVideo = (): string => system.addCopy(longVideo({ id: 'sbtx-notes1', hours: 2 })).id

const submit = (videoId: string, mode: string, more: object = {}) =>
  client.submit({ url: watchUrl(videoId), options: { summary_modes: [mode] }, ...more })

/** Waits for the job; returns its result and the calls of the model from number `start` on. */
async function finish(jobId: string, start: number) {
  expect(await client.follow(jobId)).toMatchObject({ status: 'completed' })
  const { data } = await client.get(`/videos/result/${jobId}?format=json`)
  const calls = system.messagesApi.calls.slice(start)
  const { usage, quality } = StructuredResult.parse(data)
  return { usage, quality, ofParts: calls.filter(isOfPart), others: calls.filter((call) => !isOfPart(call)) }
}

test('notes on a long video are paid for once, in the first attempt at a job, and serve every mode until a refresh', async () => {
  const { calls } = system.messagesApi
  const video = newVideo()
  const overloaded = { status: 529, headers: { 'retry-after-ms': '20' } }
  // As many calls as one attempt at the job makes.
  system.messagesApi.failNext(overloaded, { instructionIncludes: '"timestamped"', times: 3 })
  let start = calls.length
  const first = await finish(await submit(video, 'timestamped'), start)
  const parts = new Set(first.ofParts.map(({ instruction }) => instruction)).size
  expect(parts).toBeGreaterThan(2)
  expect([first.ofParts.length, first.others.length]).toEqual([parts, 3 + 1])
  expect(first.quality).toMatchObject({ strategy: 'map_reduce' })
  // The receipt has the notes once.
  const counted = first.ofParts.reduce((sum, { usage }) => sum + (usage?.input_tokens ?? 0), 0)
  expect(first.usage.overhead?.fresh_input_tokens).toBe(counted)

  start = calls.length
  const second = await finish(await submit(video, 'detailed'), start)
  expect([second.ofParts.length, second.others.length]).toEqual([0, 1])
  expect(second.usage.overhead).toMatchObject({ fresh_input_tokens: 0, cost_usd: 0 })
  expect(second.usage.by_mode?.detailed?.output_tokens).toBeGreaterThan(0)

  start = calls.length
  const refreshed = await finish(await submit(video, 'tldr', { force_refresh: true }), start)
  expect([refreshed.ofParts.length, refreshed.others.length]).toEqual([parts, 1])
  expect(refreshed.usage.overhead?.fresh_input_tokens).toBe(counted)
})

test('notes on a long video are kept by a worker that is killed, and the next worker asks only for the parts that are missing', async () => {
  const start = system.messagesApi.calls.length
  const video = newVideo()
  system.messagesApi.failNext({ kind: 'hang' }, { instructionIncludes: 'This is part 2 of ' })
  const jobId = await submit(video, 'tldr')
  const parts = await waitUntil('all parts but one are kept', async () => {
    const ofParts = system.messagesApi.calls.slice(start).filter(isOfPart)
    const of = Number(ofParts[0]?.instruction.match(/^This is part \d+ of (\d+)/)?.[1])
    const [row] = await system.rows<{ kept: number }>(
      `SELECT count(*)::int AS kept FROM transcript_notes n JOIN transcripts t ON t.id = n.transcript_id
       WHERE t.video_id = $1`,
      [video],
    )
    return row?.kept === of - 1 && ofParts.length === of ? of : null
  })
  const worker = system.workers.at(-1)
  worker?.kill('SIGKILL')
  await worker?.exited
  await system.expireLeases()
  system.startWorker()
  const { ofParts, others } = await finish(jobId, start)
  const repeated = ofParts.slice(parts).map(({ instruction }) => instruction.slice(0, 15))
  expect(repeated).toEqual(['This is part 2 '])
  expect(others).toHaveLength(1)
})

test('notes on a long video leave every invariant intact', async () => {
  expect(await findViolations(system)).toEqual({})
})
