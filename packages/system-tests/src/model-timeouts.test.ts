import { StructuredResult, type SummaryMode } from '@subtext/contracts'
import { waitUntil } from '@subtext/embedded/testing'
import { type Fault, longVideo } from '@subtext/fakes'
import { findViolations, useClient, useTestSystem, watchUrl } from '@subtext/testbed'

/** Attempts of a job, by its retry schedule. */
const ATTEMPTS = 2
/** Calls within one attempt at a job after failures that another call may not meet. */
const CALLS = 3

const system = useTestSystem({
  messagesApi: true,
  metrics: true,
  settings: {
    // Only calls of the fake that hang on purpose take as long, also on a busy machine.
    MODEL_TIMEOUT_SECONDS: '12',
    MODEL_SILENCE_SECONDS: '6',
    MODEL_CONCURRENCY: '4',
    JOB_RETRY_SCHEDULE: '1s',
    LOG_LEVEL: 'info',
  },
})
const client = useClient(system, { scopes: ['admin'] })

const readMetric = async (name: string): Promise<number> => {
  const line = (await system.readMetrics('worker')).split('\n').find((text) => text.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1) ?? 0)
}
const MODEL = 'claude-haiku-5-5'
const countCalls = (outcome: string) => readMetric(`subtext_model_calls_total{model="${MODEL}",outcome="${outcome}"}`)

/** Runs a job of the modes `tldr` and `mode`. Its video is long enough for a call of each. */
async function finish(mode: SummaryMode) {
  const { id } = system.addCopy(longVideo({ id: 'sbtx-timeou', hours: 1 / 3 }))
  const jobId = await client.submit({ url: watchUrl(id), options: { summary_modes: ['tldr', mode] } })
  const job = await client.follow(jobId)
  const { data, meta } = await client.get(`/videos/result/${jobId}?format=json`)
  const [row] = await system.rows<{ attempts: number }>('SELECT attempts FROM jobs WHERE id = $1', [jobId])
  return {
    status: job.status,
    modes: Object.keys(StructuredResult.parse(data).summaries),
    warnings: (meta.warnings ?? []).map(({ code }) => code),
    attempts: row?.attempts,
  }
}

const callsFor = (mode: SummaryMode) =>
  system.messagesApi.calls.filter(({ instruction }) => instruction.includes(`"${mode}"`))

/** Waits until no slot is held and nobody waits for one, and the other side has seen the end of `count` aborted calls. */
const untilNothingIsLeft = (count: number) =>
  waitUntil('no call is left', async () => {
    const held = await readMetric('subtext_model_slots{state="held"}')
    const waiting = await readMetric('subtext_model_slots{state="waiting"}')
    return held + waiting === 0 && system.messagesApi.calls.filter((call) => call.aborted).length >= count
  })

const PINGS: Fault = { kind: 'pings', forMs: 600_000, everyMs: 200 }

describe('a model that fails for one mode each time', () => {
  const CASES: [behavior: string, fault: Fault, mode: SummaryMode, calls: number][] = [
    ['never answers', { kind: 'hang' }, 'detailed', ATTEMPTS],
    ['starts an answer and falls silent', { kind: 'stall' }, 'key_insights', ATTEMPTS * CALLS],
    ['starts an answer and sends only pings', PINGS, 'study_notes', ATTEMPTS],
  ]
  let finished: Record<string, Awaited<ReturnType<typeof finish>>>
  beforeAll(async () => {
    for (const [, fault, mode] of CASES) {
      system.messagesApi.failNext(fault, { instructionIncludes: `"${mode}"`, times: 99 })
    }
    const jobs = CASES.map(async ([, , mode]) => [mode, await finish(mode)])
    finished = Object.fromEntries(await Promise.all(jobs))
    system.messagesApi.forgetFaults()
  })

  test.each(CASES)('(it %s) writes the other mode, with a warning, in as many attempts as a job has', (...args) => {
    const [, , mode, calls] = args
    expect(finished[mode]).toEqual({
      status: 'completed',
      modes: ['tldr'],
      warnings: ['SUMMARY_MODE_UNAVAILABLE'],
      attempts: ATTEMPTS,
    })
    expect(callsFor(mode)).toHaveLength(calls)
  })

  test('is shown in the metrics, and keeps no slot', async () => {
    expect([await countCalls('timeout'), await countCalls('stalled')]).toEqual([2 * ATTEMPTS, ATTEMPTS * CALLS])
    await untilNothingIsLeft(2 * ATTEMPTS + ATTEMPTS * CALLS)
  })
})

test.each<[string, Fault, number]>([
  ['never answers', { kind: 'hang' }, 2],
  ['falls silent', { kind: 'stall' }, 1],
])('a model that %s once writes both modes', async (_, fault, attempts) => {
  const aborted = system.messagesApi.calls.filter((call) => call.aborted).length
  // The first call is the one that the others wait for.
  system.messagesApi.failNext(fault, { instructionIncludes: '"tldr"' })
  expect(await finish('detailed')).toEqual({
    status: 'completed',
    modes: ['tldr', 'detailed'],
    warnings: [],
    attempts,
  })
  await untilNothingIsLeft(aborted + 1)
})

test('a wrong key is logged as an error for the operator, once and not for every call', async () => {
  system.messagesApi.failNext({ status: 401, message: 'Not this key.' }, { instructionIncludes: '"tldr"', times: 99 })
  const finished = [await finish('detailed'), await finish('detailed')]
  system.messagesApi.forgetFaults()
  expect(finished.map(({ modes, attempts }) => [modes, attempts])).toEqual([
    [['detailed'], 1],
    [['detailed'], 1],
  ])
  expect(await countCalls('unauthorized')).toBe(2)
  const log = (await system.readLogs()).split('\n').filter((line) => line.startsWith('{'))
  const lines = log.map((line) => JSON.parse(line)).filter(({ message }) => message === 'model unusable')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatchObject({ level: 'error', outcome: 'unauthorized', status: 401, service: 'worker' })
  expect(log.join('\n')).not.toMatch(/Not this key|key of the fake/)
})

test('the metrics agree with the calls and with the receipts', async () => {
  const metrics = await system.readMetrics('worker')
  expect(await countCalls('answered')).toBeGreaterThan(0)
  expect(metrics).toMatch(/^subtext_model_slot_limit 4$/m)
  expect(metrics).toContain(`subtext_model_uncached_prefixes_total{model="${MODEL}"} 0\n`)
  const [receipts] = await system.rows<Record<string, string>>(
    'SELECT sum(output_tokens) AS output, sum(input_tokens + cached_input_tokens) AS input, sum(cost_usd) AS cost FROM usage_entries',
  )
  const readTokens = (kind: string) => readMetric(`subtext_model_tokens_total{model="${MODEL}",kind="${kind}"}`)
  expect(await readTokens('output')).toBe(Number(receipts?.output))
  // Receipts do not tell which tokens were cached because of other accounts: they show them as written, at that price.
  const read = await readTokens('cache_read')
  expect((await readTokens('input')) + (await readTokens('cache_write')) + read).toBe(Number(receipts?.input))
  const cost = await readMetric(`subtext_model_cost_usd_total{model="${MODEL}"}`)
  expect([read > 0, cost < Number(receipts?.cost)]).toEqual([true, true])
})

test('leaves every invariant intact', async () => {
  expect(await findViolations(system)).toEqual({})
})
