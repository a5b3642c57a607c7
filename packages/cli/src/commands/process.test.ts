import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { jest } from '@jest/globals'
import { data, failure, stream, useTestService } from '@subtext/sdk/testing'
import { runCli, useFolders } from '../testing/run-cli.ts'

const makeFolder = useFolders()
const serve = useTestService()

const [FIRST, SECOND, THIRD] = ['a', 'b', 'c'].map((letter) => `https://youtu.be/${letter.repeat(11)}`) as [
  string,
  string,
  string,
]
const QUOTA = { quota: 'daily', reset_at: '2026-01-15T00:00:00.000Z' }
const noBatches = failure(403, 'PLAN_UPGRADE_REQUIRED', false, {}, { feature: 'batches' })
const full = failure(429, 'QUOTA_EXCEEDED', true, { 'Retry-After': '3600' }, QUOTA)
const submitted = data({ job_id: 'job-1' })
const ended = stream(['completed', '1', { job_id: 'job-1', status: 'completed', video_id: 'a'.repeat(11) }])
const document: typeof ended = (response) => void response.end('# Title\n')
const broken: typeof ended = (response) => {
  response.writeHead(200, { 'Content-Length': '100' }).write('# Tit')
  setTimeout(() => response.destroy(), 20)
}
const stalled: typeof ended = (response) => void response.writeHead(200, { 'Content-Length': '100' }).write('# Tit')

test('a refusal does not discard the videos that were accepted before it', async () => {
  const service = await serve(noBatches, submitted, full, ended, document)
  const args = ['summarize', FIRST, SECOND, THIRD, '--json']
  const result = await runCli(['summarize', FIRST, SECOND, THIRD], { apiKey: 'sk_x', baseUrl: service.url })
  expect(result).toMatchObject({ code: 3, stdout: '# Title\n' })
  expect(result.stderr.trim().split('\n')).toEqual([
    `${SECOND}: Message of QUOTA_EXCEEDED. (QUOTA_EXCEEDED)`,
    `${THIRD}: Message of QUOTA_EXCEEDED. (QUOTA_EXCEEDED)`,
  ])
  service.replyWith(full)
  const { code, stdout } = await runCli(args, { apiKey: 'sk_x', baseUrl: service.url })
  expect(code).toBe(1)
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([FIRST, SECOND, THIRD].map((url) => ({ url, error: { code: 'QUOTA_EXCEEDED', details: QUOTA } })))
})

test('the language of the summaries and instructions are sent with every video, without a batch', async () => {
  const service = await serve(submitted)
  const more = ['--output-language', 'de', '--instructions', 'Numbers.', '--no-wait']
  await runCli(['summarize', FIRST, SECOND, ...more], { apiKey: 'sk_x', baseUrl: service.url })
  expect(service.requests.map(({ url, body }) => [url, JSON.parse(body)])).toEqual(
    [FIRST, SECOND].map((url) => [
      '/api/v1/videos/process',
      { url, options: { output_language: 'de' }, custom_instructions: 'Numbers.' },
    ]),
  )
})

test('a batch carries the language of the summaries and the limit of each video', async () => {
  const service = await serve(data({ jobs: [] }))
  const args = ['summarize', FIRST, SECOND, '--output-language', 'de', '--max-cost', '0', '--no-wait']
  await runCli(args, { apiKey: 'sk_x', baseUrl: service.url })
  expect(JSON.parse(service.requests[0]?.body ?? '')).toEqual({
    videos: [FIRST, SECOND].map((url) => ({ url, options: { output_language: 'de', max_cost_usd: 0 } })),
  })
})

test('a document whose transfer breaks is fetched again', async () => {
  const service = await serve(submitted, ended, broken, document)
  const result = await runCli(['summarize', FIRST], { apiKey: 'sk_x', baseUrl: service.url })
  expect(result).toEqual({ code: 0, stdout: '# Title\n', stderr: '' })
})

test('a document whose transfer stalls is fetched again after 30 seconds', async () => {
  const service = await serve(ended, stalled, document)
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance'] })
  try {
    const running = runCli(['result', 'job-1'], { apiKey: 'sk_x', baseUrl: service.url })
    // A transfer that has not begun within the real time of a pass has begun in the next one.
    for (let seconds = 0; seconds < 300 && service.requests.length < 3; seconds += 15) {
      await pause(100)
      await jest.advanceTimersByTimeAsync(15_000)
    }
    expect(service.requests).toHaveLength(3)
    expect(await running).toEqual({ code: 0, stdout: '# Title\n', stderr: '' })
  } finally {
    jest.useRealTimers()
  }
})

test('a document that never arrives whole is the failure of its video alone', async () => {
  const folder = await makeFolder()
  await writeFile(join(folder, `${'b'.repeat(11)}.md`), '')
  const service = await serve(submitted, ended, broken)
  const result = await runCli(['summarize', FIRST, SECOND, '-o', folder], { apiKey: 'sk_x', baseUrl: service.url })
  expect(result).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(`${FIRST}: The document did not arrive whole.`),
  })
  expect(result.stderr).not.toContain('continue')
  expect(await readdir(folder)).toHaveLength(1)
})

test('a document that never arrives whole is no reason to look for another service', async () => {
  const service = await serve(ended, broken)
  expect(await runCli(['result', 'job-1'], { apiKey: 'sk_x', baseUrl: service.url })).toEqual({
    code: 1,
    stdout: '',
    stderr: 'The document did not arrive whole. (CONNECTION_ERROR)\nJob: job-1\n',
  })
})

test('an interruption says how to follow the jobs that have not ended', async () => {
  const interrupt = new AbortController()
  const job = (id: string) => data({ job_id: id })
  const respond: typeof ended = (response, request) => {
    if (request.url.includes('/events/job-1')) return ended(response, request)
    if (request.url.includes('/result/')) {
      response.end('# Title\n')
      setTimeout(() => interrupt.abort(), 200)
    }
  }
  const service = await serve(noBatches, job('job-1'), job('job-2'), respond)
  const options = { apiKey: 'sk_x', baseUrl: service.url, interrupt }
  expect(await runCli(['summarize', FIRST, SECOND], options)).toEqual({
    code: 130,
    stdout: '# Title\n',
    stderr: '\nThe job continues. To follow it:\n  subtext result job-2\n',
  })
})

test('the message of a quota says when it resets', async () => {
  const message = 'It resets at `details.reset_at`.'
  const service = await serve((response) => {
    const error = { code: 'QUOTA_EXCEEDED', message, details: QUOTA }
    response.writeHead(429, { 'Retry-After': '3600' }).end(JSON.stringify({ error }))
  })
  const { stderr } = await runCli(['summarize', FIRST], { apiKey: 'sk_x', baseUrl: service.url })
  expect(stderr).toContain('It resets at 2026-01-15 00:00 UTC. (QUOTA_EXCEEDED)')
})

test.each(['null', '[]', '{"apiKey":5}', '{"apiKey":"sk_x","baseUrl":5}', '{"apiKey":"sk x"}'])(
  'a configuration that is %s is invalid',
  async (text) => {
    const configFile = join(await makeFolder(), 'config.json')
    await writeFile(configFile, text)
    const { code, stderr } = await runCli(['list'], { configFile })
    expect([code, stderr]).toEqual([2, expect.stringMatching(/API key.*run `subtext login`/)])
  },
)
