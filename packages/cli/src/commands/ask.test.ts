import { data, failure, stream, useTestService } from '@subtext/sdk/testing'
import { type CliOptions, runCli } from '../testing/run-cli.ts'

const serve = useTestService()

const CITATIONS = [
  { segment_id: 3, start: 42.9, position: 9, video_title: 'Bees', url: 'https://www.youtube.com/watch?v=a&t=42s' },
  { segment_id: 7, start: 60, position: 9, video_title: 'Maps', url: 'https://www.youtube.com/watch?v=b&t=60s' },
  { segment_id: 3, start: 42.9, position: 16, video_title: 'Bees', url: 'https://www.youtube.com/watch?v=a&t=42s' },
]
const ANSWER = {
  conversation_id: 'c-1',
  answer_kind: 'answer',
  message: { content: 'Both say. So.' },
  citations: CITATIONS,
}
const SOURCES = '\n- Bees  https://www.youtube.com/watch?v=a&t=42s\n- Maps  https://www.youtube.com/watch?v=b&t=60s\n'

const ask = async (args: string[], options: CliOptions = {}) => {
  const service = await serve(
    stream(['delta', '1', { text: 'Both say.' }], ['delta', '2', { text: ' So.' }], ['done', '3', ANSWER]),
  )
  const result = await runCli(['ask', ...args], { apiKey: 'sk_x', baseUrl: service.url, ...options })
  return { ...result, bodies: service.requests.map(({ body }) => JSON.parse(body)) }
}

test('asks all videos, and prints the answer with each moment once', async () => {
  const { code, stdout, stderr, bodies } = await ask(['Who', 'says so?'])
  expect([code, stdout, stderr]).toEqual([0, `Both say. So.\n${SOURCES}`, ''])
  expect(bodies).toEqual([{ message: 'Who says so?', scope: { all: true }, stream: true }])
})

test.each([
  [['--batch', 'b-1'], { batch_id: 'b-1' }],
  [['--source', 's-1'], { source_id: 's-1' }],
  [['--job', 'j-1', '--job', 'j-2'], { job_ids: ['j-1', 'j-2'] }],
])('asks about what %j names', async (args, scope) => {
  expect((await ask(['Why?', ...args])).bodies).toEqual([{ message: 'Why?', scope, stream: true }])
})

test('continues a conversation, which keeps its scope', async () => {
  const { bodies } = await ask(['And', '--conversation', 'c-0'])
  expect(bodies).toEqual([{ message: 'And', conversation_id: 'c-0', stream: true }])
})

test('reads the question from standard input, and refuses an empty one and two scopes', async () => {
  expect((await ask([], { stdin: 'Why?\n' })).bodies).toMatchObject([{ message: 'Why?' }])
  expect(await ask([], { stdin: ' \n' })).toMatchObject({ code: 2, bodies: [] })
  const both = await ask(['Why?', '--batch', 'b-1', '--source', 's-1'])
  expect(both).toMatchObject({ code: 2, bodies: [] })
  expect(both.stderr).toContain('--batch, --source')
})

test('prints the answer on a terminal while it is written, and how to continue', async () => {
  const { stdout, stderr } = await ask(['Why?'], { isTTY: true })
  expect(stdout).toBe(`Both say. So.\n${SOURCES}`)
  expect(stderr).toContain('subtext ask --conversation c-1 QUESTION')
})

test('prints one line of JSON with --json, and warnings apart from it', async () => {
  const warnings = [{ code: 'MODEL_UNAVAILABLE', message: 'These are the passages that fit best.' }]
  const service = await serve(stream(['done', '1', { ...ANSWER, warnings }]))
  const { stdout, stderr } = await runCli(['ask', 'Why?', '--json'], { apiKey: 'sk_x', baseUrl: service.url })
  expect(JSON.parse(stdout)).toEqual({ ...ANSWER, warnings })
  expect(stderr).toBe('These are the passages that fit best. (MODEL_UNAVAILABLE)\n')
})

describe('digest', () => {
  const DIGEST = { digest_id: 'd-1', status: 'completed', themes: [] }
  const make = async (args: string[], ...replies: Parameters<typeof serve>) => {
    const service = await serve(data({ digest_id: 'd-1' }), ...replies)
    const result = await runCli(['digest', 'b-1', ...args], { apiKey: 'sk_x', baseUrl: service.url })
    return {
      ...result,
      requests: service.requests.map(({ method, url, body }) => [method, url, body && JSON.parse(body)]),
    }
  }

  test('makes a digest, waits for it, and prints it as Markdown', async () => {
    const { code, stdout, requests } = await make(
      ['--instructions', 'Be brief.', '--output-language', 'de'],
      data(DIGEST),
      (response) => void response.end('# Digest\n'),
    )
    expect([code, stdout]).toEqual([0, '# Digest\n'])
    expect(requests).toEqual([
      ['POST', '/api/v1/batch/digest/b-1', { instructions: 'Be brief.', output_language: 'de' }],
      ['GET', '/api/v1/digests/d-1', ''],
      ['GET', '/api/v1/digests/d-1?format=markdown', ''],
    ])
  })

  test('prints one line of JSON with --json, and warnings apart from it', async () => {
    const warned = { ...DIGEST, warnings: [{ code: 'MODEL_REQUIRED', message: 'Made without a model.' }] }
    const { stdout, stderr } = await make(['--json'], data(warned))
    expect(stdout).toBe(`${JSON.stringify(warned)}\n`)
    expect(stderr).toContain('Made without a model. (MODEL_REQUIRED)')
  })

  test('asks for a file for a PDF before it makes anything, and fails if the digest does', async () => {
    expect(await make(['--format', 'pdf'], data(DIGEST))).toMatchObject({ code: 2, requests: [] })
    const failed = { ...DIGEST, status: 'failed', error: { code: 'INTERNAL_ERROR', message: 'Broken.' } }
    const { code, stdout, stderr } = await make([], data(failed))
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('Broken.')
    expect((await make([], failure(404, 'NOT_FOUND', false, {}))).code).toBe(1)
  })
})
