import { StructuredResult } from '@subtext/contracts'
import { findMetricsPort, waitUntil } from '@subtext/embedded/testing'
import { type Fault, longVideo } from '@subtext/fakes'
import { type Client, findViolations, startTestSystem, type TestSystem, watchUrl } from '@subtext/server/testing'

/** Tries of a job in all. */
const TRIES = 2
/** Calls within one try of a job, where another one at once makes sense. */
const CALLS = 3

let system: TestSystem
let client: Client
let metricsPort: number
let made = 0

beforeAll(async () => {
  metricsPort = await findMetricsPort()
  system = await startTestSystem({
    messagesApi: true,
    settings: {
      METRICS_PORT: String(metricsPort),
      MODEL_TIMEOUT_SECONDS: '3',
      MODEL_SILENCE_SECONDS: '2',
      // A slot that is not given back stops all that comes after it for longer than this file may take.
      MODEL_CONCURRENCY: '1',
      JOB_RETRY_SCHEDULE: '1s',
      LOG_LEVEL: 'info',
    },
  })
  // More jobs than a plan has in a day.
  client = await system.createClient({ scopes: ['admin'] })
  await waitUntil('the worker tells its numbers', () => readNumbers().catch(() => null))
})
afterAll(() => system.close())

const readNumbers = async (): Promise<string> => (await fetch(`http://127.0.0.1:${metricsPort + 1}/metrics`)).text()
const readNumber = async (name: string): Promise<number> => {
  const line = (await readNumbers()).split('\n').find((text) => text.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1) ?? 0)
}
const countCalls = (outcome: string) => readNumber(`subtext_model_calls_total{outcome="${outcome}"}`)

/** A job of two modes, long enough for a call of each. */
async function finish() {
  const id = `sbtx-tim${String(++made).padStart(3, '0')}`
  system.platform.addVideo(longVideo({ id, hours: 1 / 3 }))
  const before = system.messagesApi.calls.length
  const options = { summary_modes: ['tldr', 'detailed'] }
  const jobId = await client.submit({ url: watchUrl(id), options })
  const job = await client.follow(jobId)
  const { data, meta } = await client.get(`/videos/result/${jobId}?format=json`)
  const [row] = await system.rows<{ attempts: number }>('SELECT attempts FROM jobs WHERE id = $1', [jobId])
  return {
    job,
    modes: Object.keys(StructuredResult.parse(data).summaries),
    warnings: (meta.warnings ?? []).map(({ code }) => code),
    attempts: row?.attempts,
    calls: system.messagesApi.calls.slice(before),
  }
}
type Finished = Awaited<ReturnType<typeof finish>>

const callsFor = ({ calls }: Finished, mode: string) => calls.filter((call) => call.instruction.includes(`"${mode}"`))

/** Nothing is held, nothing waits, and every call that was given up has ended at the other end too. */
async function expectNothingLeft({ calls }: Finished, givenUp: number): Promise<void> {
  await waitUntil(
    'calls that were given up are over',
    async () => calls.filter((call) => call.aborted).length >= givenUp,
  )
  expect(await readNumber('subtext_model_slots{state="held"}')).toBe(0)
  expect(await readNumber('subtext_model_slots{state="waiting"}')).toBe(0)
}

const PINGS: Fault = { kind: 'pings', forMs: 600_000, everyMs: 200 }

test.each<[string, Fault, string, number]>([
  ['never answers', { kind: 'hang' }, 'timeout', 1],
  ['begins and falls silent', { kind: 'stall' }, 'stalled', CALLS],
  ['begins and then only shows that it lives', PINGS, 'timeout', 1],
])(
  'a model that %s for one mode: the other arrives, with a warning, after no more tries than a job has',
  async (_, fault, outcome, callsPerTry) => {
    const counted = await countCalls(outcome)
    system.messagesApi.failNext(fault, { instructionIncludes: '"detailed"', times: 99 })
    const done = await finish()
    system.messagesApi.forgetFaults()
    expect(done.job.status).toBe('completed')
    expect(done.modes).toEqual(['tldr'])
    expect(done.warnings).toContain('SUMMARY_MODE_UNAVAILABLE')
    expect(done.attempts).toBe(TRIES)
    expect(callsFor(done, 'detailed')).toHaveLength(TRIES * callsPerTry)
    expect((await countCalls(outcome)) - counted).toBe(TRIES * callsPerTry)
    await expectNothingLeft(done, TRIES * callsPerTry)
  },
)

test.each<[string, Fault, number]>([
  ['never answers once', { kind: 'hang' }, 2],
  ['falls silent once', { kind: 'stall' }, 1],
])('a model that %s: both modes are written', async (_, fault, attempts) => {
  // The first call is the one that the others wait for.
  system.messagesApi.failNext(fault, { instructionIncludes: '"tldr"' })
  const done = await finish()
  expect(done.job.status).toBe('completed')
  expect(done.modes).toEqual(['tldr', 'detailed'])
  expect(done.warnings).toEqual([])
  expect(done.attempts).toBe(attempts)
  await expectNothingLeft(done, 1)
})

test('a wrong key is an error for whoever runs the service, said once and not for every call', async () => {
  system.messagesApi.failNext({ status: 401, message: 'Not this key.' }, { instructionIncludes: '"tldr"', times: 99 })
  const [first, second] = [await finish(), await finish()]
  system.messagesApi.forgetFaults()
  expect([first.modes, second.modes]).toEqual([['detailed'], ['detailed']])
  expect([first.attempts, second.attempts]).toEqual([1, 1])
  expect(await countCalls('unauthorized')).toBe(2)
  const log = (await system.readLogs()).split('\n').filter((line) => line.startsWith('{'))
  const lines = log.map((line) => JSON.parse(line)).filter(({ message }) => message === 'model unusable')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatchObject({ level: 'error', outcome: 'unauthorized', status: 401, service: 'worker' })
  expect(log.join('\n')).not.toMatch(/Not this key|key of the fake/)
})

test('the numbers agree with the calls and with the receipts', async () => {
  const numbers = await readNumbers()
  expect(numbers).toMatch(/^subtext_model_calls_total\{outcome="answered"\} [1-9]/m)
  expect(numbers).toMatch(/^subtext_model_slot_limit 1$/m)
  expect(numbers).toMatch(/^subtext_model_uncached_prefixes_total 0$/m)
  const [receipts] = await system.rows<Record<string, string>>(
    'SELECT sum(output_tokens) AS output, sum(cached_input_tokens) AS read, sum(cost_usd) AS cost FROM usage_entries',
  )
  expect(await readNumber('subtext_model_tokens_total{kind="output"}')).toBe(Number(receipts?.output))
  expect(await readNumber('subtext_model_tokens_total{kind="cache_read"}')).toBe(Number(receipts?.read))
  expect(await readNumber('subtext_model_cost_usd_total')).toBeCloseTo(Number(receipts?.cost), 4)
})

test('all promises hold', async () => {
  expect(await findViolations(system)).toEqual({})
})
