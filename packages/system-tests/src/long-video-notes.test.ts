import { StructuredResult } from '@subtext/contracts'
import { waitUntil } from '@subtext/embedded/testing'
import { longVideo } from '@subtext/fakes'
import { type Client, findViolations, startTestSystem, type TestSystem, watchUrl } from '@subtext/server/testing'

let system: TestSystem
let client: Client
let made = 0

beforeAll(async () => {
  system = await startTestSystem({
    messagesApi: true,
    settings: { SUMMARY_MAX_PROMPT_TOKENS: '20000', JOB_RETRY_SCHEDULE: '1s,1s' },
  })
  client = await system.createClient({ scopes: ['admin'] })
})
afterAll(() => system.close())

/** Two hours, which are read in parts. */
function newVideo(): string {
  const id = `sbtx-ntv${String(++made).padStart(3, '0')}`
  system.platform.addVideo(longVideo({ id, hours: 2 }))
  return id
}

const isOfPart = ({ instruction }: { instruction: string }) => instruction.startsWith('This is part ')
const submit = (videoId: string, mode: string, terms: object = {}) =>
  client.submit({ url: watchUrl(videoId), options: { summary_modes: [mode] }, ...terms })

/** The job's result, and all calls of the model since `start` to this moment. */
async function finish(jobId: string, start: number) {
  expect(await client.follow(jobId)).toMatchObject({ status: 'completed' })
  const { data } = await client.get(`/videos/result/${jobId}?format=json`)
  const calls = system.messagesApi.calls.slice(start)
  const { usage, quality } = StructuredResult.parse(data)
  return { usage, quality, ofParts: calls.filter(isOfPart), others: calls.filter((call) => !isOfPart(call)) }
}

test('notes are paid for once: by the first try, for every mode, until a refresh', async () => {
  const { calls } = system.messagesApi
  const video = newVideo()
  const overloaded = { status: 529, headers: { 'retry-after-ms': '20' } }
  // As often as one try of the job asks.
  system.messagesApi.failNext(overloaded, { instructionIncludes: '"timestamped"', times: 3 })
  const first = await finish(await submit(video, 'timestamped'), 0)
  const parts = new Set(first.ofParts.map(({ instruction }) => instruction)).size
  expect(parts).toBeGreaterThan(2)
  expect([first.ofParts.length, first.others.length]).toEqual([parts, 3 + 1])
  expect(first.quality).toMatchObject({ strategy: 'map_reduce' })
  // The receipt has the notes once.
  const counted = first.ofParts.reduce((sum, { usage }) => sum + (usage?.input_tokens ?? 0), 0)
  expect(first.usage.overhead?.fresh_input_tokens).toBe(counted)

  let start = calls.length
  const second = await finish(await submit(video, 'detailed'), start)
  expect([second.ofParts.length, second.others.length]).toEqual([0, 1])
  expect(second.usage.overhead).toMatchObject({ fresh_input_tokens: 0, cost_usd: 0 })
  expect(second.usage.by_mode?.detailed?.output_tokens).toBeGreaterThan(0)

  start = calls.length
  const anew = await finish(await submit(video, 'tldr', { force_refresh: true }), start)
  expect([anew.ofParts.length, anew.others.length]).toEqual([parts, 1])
  expect(anew.usage.overhead?.fresh_input_tokens).toBe(counted)
})

test('a worker that is killed among the parts leaves to the next one only those that were under way', async () => {
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

test('all promises hold', async () => {
  expect(await findViolations(system)).toEqual({})
})
