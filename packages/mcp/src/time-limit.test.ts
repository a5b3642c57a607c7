import {
  type Api,
  callServer,
  data,
  endless,
  failure,
  later,
  type ServerCall,
  silence,
  stream,
  useVirtualTime,
} from './testing/call-server.ts'

useVirtualTime()

/** Clients give up after 60; the check of an access token takes up to 5 before. */
const LIMIT_SECONDS = 50.5
const ID = 'the-job'
const VIDEO = { video_url: 'https://youtu.be/x' }
const SUBMITTED = { job_id: ID, status: 'queued' }
const CREATED_AT = '2026-01-01T00:00:00.000Z'
const TIMES = { created_at: CREATED_AT, updated_at: CREATED_AT }
const RUNNING = { job_id: ID, status: 'processing', current_step: 'summarizing', progress_percentage: 50, ...TIMES }
const COMPLETED = { ...RUNNING, status: 'completed', current_step: 'completed', progress_percentage: 100 }
const RESULT = {
  job_id: ID,
  video_info: {
    video_id: 'x',
    title: 'Title',
    url: VIDEO.video_url,
    channel: { name: 'Channel' },
    duration_seconds: 1,
  },
  summaries: { tldr: 'Short.' },
}

const toolCall = (name: string, args: object): ServerCall => ['tools/call', { name, arguments: args }]
const SUMMARIZE = toolCall('summarize_platform_video', VIDEO)
const AS_TASK: ServerCall = ['tools/call', SUMMARIZE[1], true]
const PROCESS = toolCall('process_platform_video', VIDEO)
const STATUS = toolCall('get_video_job_status', { job_id: ID })
const GET_TASK: ServerCall = ['tasks/get', { taskId: ID }, true]
const CALLS = [
  SUMMARIZE,
  AS_TASK,
  PROCESS,
  STATUS,
  toolCall('get_video_result', { job_id: ID }),
  toolCall('export_video_markdown', { job_id: ID }),
  GET_TASK,
  ['tasks/cancel', { taskId: ID }, true],
  ['tasks/update', { taskId: ID }, true],
  ['resources/read', { uri: `video://${ID}/transcript` }],
] satisfies ServerCall[]

const unavailable = (retryAfter: number) => failure(503, 'SERVICE_UNAVAILABLE', retryAfter)
const reset = (): never => {
  throw new TypeError('fetch failed')
}

const TROUBLES: [name: string, trouble: Api][] = [
  ['nothing', silence],
  ['a response that does not end', endless],
  ['a broken connection', reset],
  ['a late refusal', () => later(20_000, unavailable(20))],
  ['a refusal for a minute', () => failure(429, 'RATE_LIMITED', 60)],
  ...[0, 1, 9, 25, 40, 50].map((seconds): [string, Api] => [`a refusal for ${seconds} s`, () => unavailable(seconds)]),
]

/** Accepts submissions, whose events are these. Answers everything else with the trouble. */
const accepting =
  (events: Api, trouble: Api): Api =>
  (path, request) => {
    if (path === '/process') return data(SUBMITTED, 202)
    return (path.startsWith('/events/') ? events : trouble)(path, request)
  }
const ended = () => stream('completed', COMPLETED)

describe.each(TROUBLES)('if the API answers with %s', (_, trouble) => {
  test('every call is answered before clients give up', async () => {
    const resultOnly: Api = (path, request) => (path.startsWith('/status/') ? data(COMPLETED) : trouble(path, request))
    const apis = [
      trouble,
      resultOnly,
      accepting(ended, trouble),
      accepting(endless, trouble),
      accepting(trouble, trouble),
    ]
    for (const api of apis) {
      for (const call of CALLS) expect((await callServer(api, call)).seconds).toBeLessThan(LIMIT_SECONDS)
    }
  })

  test.each([
    ['has ended', ended],
    ['is running', endless],
    ['cannot be watched', trouble],
  ])('the ID of an accepted job that %s is in the answer', async (__, events) => {
    for (const call of [SUMMARIZE, AS_TASK]) {
      const { text, requests } = await callServer(accepting(events, trouble), call)
      expect(text).toContain(ID)
      expect(requests.filter((each) => each === 'POST /process')).toHaveLength(1)
    }
  })
})

test('a completed job whose result cannot be read now is to be read later, and its task is not over', async () => {
  const api = accepting(ended, (path) => (path.startsWith('/status/') ? data(COMPLETED) : unavailable(25)))
  const { result } = await callServer(api, SUMMARIZE)
  expect(result.isError).toBeUndefined()
  expect(result.structuredContent).toMatchObject({
    job_id: ID,
    status: 'completed',
    next: expect.stringContaining('get_video_result'),
  })
  expect((await callServer(api, GET_TASK)).result).toMatchObject({ code: -32_603 })
})

test('a task is answered soon even if the state of its job cannot be read', async () => {
  for (const trouble of [silence, () => unavailable(1)]) {
    const { result, seconds } = await callServer(accepting(endless, trouble), AS_TASK)
    expect(result).toMatchObject({ resultType: 'task', taskId: ID, status: 'working', statusMessage: 'queued' })
    expect(seconds).toBeLessThan(13)
  }
})

test('the ID of a job is in the answer even if what the API says about it makes no sense', async () => {
  for (const events of [
    () => stream('completed', {}),
    () => new Response('data: {\n\n', { headers: { 'Content-Type': 'text/event-stream' } }),
  ]) {
    expect(
      (
        await callServer(
          accepting(events, () => data({})),
          SUMMARIZE,
        )
      ).text,
    ).toContain(ID)
  }
})

test('the wait for a job is shorter by the time that its submission took', async () => {
  const api: Api = (path, request) => {
    if (path === '/process') return later(20_000, data(SUBMITTED, 202))
    return path.startsWith('/events/') ? endless(path, request) : data(RUNNING)
  }
  const { result, seconds } = await callServer(api, SUMMARIZE)
  expect(result.structuredContent).toMatchObject({ job_id: ID, status: 'processing' })
  expect(seconds).toBeLessThan(45.5)
})

test('a client that waits for longer gets the result of a job that ends later', async () => {
  let streams = 0
  const events: Api = () => (streams++ < 3 ? later(40_000, stream('progress', RUNNING)) : ended())
  const api = accepting(events, () => later(1_000, data(RESULT)))
  const call = toolCall('summarize_platform_video', { ...VIDEO, timeout_seconds: 200 })
  const { text, seconds } = await callServer(api, call)
  expect(text).toContain('Short.')
  expect(seconds).toBeGreaterThan(119)
})

test.each([PROCESS, STATUS])(
  'a request is repeated three times, within seconds, while the API is down',
  async (...call) => {
    const { requests, seconds } = await callServer(reset, call as unknown as ServerCall)
    expect(requests).toHaveLength(4)
    expect(seconds).toBeLessThan(5)
  },
)

test('a submission is repeated with the same key if its answer is lost, for as long as the first is being accepted', async () => {
  const keys: unknown[] = []
  const api: Api = (_, { headers }) => {
    keys.push(headers['Idempotency-Key'])
    if (keys.length === 1) return silence()
    return keys.length < 7 ? failure(409, 'IDEMPOTENCY_IN_PROGRESS', 1) : data(SUBMITTED, 202)
  }
  expect((await callServer(api, PROCESS)).result.structuredContent).toMatchObject({ job_id: ID })
  expect(keys).toEqual([expect.any(String), ...Array(6).fill(keys[0])])
})

test('a submission is not repeated if there would be hardly any time for the answer', async () => {
  let asked = 0
  const api: Api = () => (asked++ === 0 ? unavailable(44) : later(800, data(SUBMITTED, 202)))
  const { text, seconds } = await callServer(api, PROCESS)
  expect(text).toContain('SERVICE_UNAVAILABLE')
  expect([asked, seconds < 1]).toEqual([1, true])
})

test.each([
  [409, 'JOB_NOT_COMPLETED'],
  [422, 'LIVE_NOT_ENDED'],
  [503, 'UPSTREAM_BLOCKED'],
  [503, 'UPSTREAM_UNAVAILABLE'],
  [503, 'SUMMARY_UNAVAILABLE'],
  [504, 'PROCESSING_TIMEOUT'],
] as const)(
  'a result that is answered with %d %s, which says how the job is, is not asked for again',
  async (status, code) => {
    const { text, requests } = await callServer(
      () => failure(status, code, 1),
      toolCall('get_video_result', { job_id: ID }),
    )
    expect([text.includes(code), requests.length]).toEqual([true, 1])
  },
)

test('a call that is ending its process answers with the ID of the job', async () => {
  const draining = new AbortController()
  setTimeout(() => draining.abort(), 10_000)
  const { result, seconds } = await callServer(accepting(endless, silence), SUMMARIZE, { draining: draining.signal })
  expect(result.structuredContent).toMatchObject({ job_id: ID, status: 'queued' })
  expect(seconds).toBeLessThan(15.5)
})
