import { SAMPLE_TALKS } from '@subtext/fakes'
import { type Client, findViolations, startTestSystem, type TestSystem, watchUrl } from '@subtext/server/testing'

/** Longer than any of the apps waits for a server that says nothing. */
const RECOVERS_WITHIN_MS = 40_000
let system: TestSystem
let client: Client

beforeAll(async () => {
  system = await startTestSystem({ wires: true, settings: { JOB_LEASE_SECONDS: '15' } })
  client = await system.createClient()
})
afterAll(() => system?.close())

const submit = (videoId: string) =>
  client.submit({ url: watchUrl(videoId), webhook_url: `${system.receiver.origin}/hook` })

async function expectDone(jobId: string): Promise<void> {
  expect((await client.follow(jobId)).status).toBe('completed')
  await system.receiver.waitFor(({ body }) => body.includes(jobId), RECOVERS_WITHIN_MS)
}

test.each([
  ['postgres', SAMPLE_TALKS.korean.id, SAMPLE_TALKS.french.id],
  ['redis', SAMPLE_TALKS.hindi.id, SAMPLE_TALKS.german.id],
] as const)(
  'connections to %s are lost without a word, in the middle of a job: it is done, and so is the next',
  async (server, first, next) => {
    system.platform.delay({ kind: 'timedtext', videoId: first, ms: 1_000 })
    const jobId = await submit(first)
    await system.platform.waitForRequest({ kind: 'timedtext', videoId: first })
    system.wires[server].lose()
    await expectDone(jobId)
    await expectDone(await submit(next))
    expect(await findViolations(system)).toEqual({})
  },
)
