import { data, failure, stream, useTestService } from '@subtext/sdk/testing'
import { formatTime } from '../table.ts'
import { type CliOptions, runCli } from '../testing/run-cli.ts'
import { withTimes } from './chat.ts'

const serve = useTestService()

const CITATIONS = [
  { segment_id: 3, start: 42.9, position: 9 },
  { segment_id: 7, start: 3_701, position: 9 },
  { segment_id: 9, start: 0, position: 22 },
]
const CONTENT = 'Born 1920 in Ypsilanti. The end.'
const ANSWER = { conversation_id: 'c-1', message: { content: CONTENT }, citations: CITATIONS, answer_kind: 'answer' }
const TEXT = 'Born 1920 [0:42] [1:01:41] in Ypsilanti [0:00]. The end.\n'
const [FIRST, SECOND, THIRD] = CITATIONS

const EVENTS = stream(
  ['delta', '1', { text: CONTENT.slice(0, 9) }],
  ['citation', '2', FIRST],
  ['citation', '3', SECOND],
  ['delta', '4', { text: CONTENT.slice(9, 22) }],
  ['citation', '5', THIRD],
  ['delta', '6', { text: CONTENT.slice(22) }],
  ['done', '7', ANSWER],
)

test('inserts times where the citations belong', () => {
  expect(`${withTimes(CONTENT, CITATIONS)}\n`).toBe(TEXT)
  expect(withTimes('No citation.', [])).toBe('No citation.')
})

describe('chat', () => {
  const ask = async (args: string[], options: CliOptions = {}) => {
    const service = await serve(EVENTS)
    const result = await runCli(['chat', 'job-1', ...args], { apiKey: 'sk_x', baseUrl: service.url, ...options })
    return { ...result, bodies: service.requests.map(({ body }) => JSON.parse(body)) }
  }

  test('prints an answer with times, and nothing else into a pipe', async () => {
    const { code, stdout, stderr, bodies } = await ask(['Where', 'was she born?'])
    expect([code, stdout, stderr]).toEqual([0, TEXT, ''])
    expect(bodies).toEqual([{ message: 'Where was she born?', stream: true }])
  })

  test('prints the same on a terminal, and how to continue', async () => {
    const { stdout, stderr } = await ask(['Where?'], { isTTY: true })
    expect(stdout).toBe(TEXT)
    expect(stderr).toContain('subtext chat job-1 --conversation c-1 QUESTION')
  })

  test('reads the question from standard input, and continues a conversation', async () => {
    const { bodies } = await ask(['--conversation', 'c-0'], { stdin: 'And\nwhen?\n' })
    expect(bodies).toEqual([{ message: 'And\nwhen?', conversation_id: 'c-0', stream: true }])
    expect(await ask([], { stdin: ' \n' })).toMatchObject({ code: 2, bodies: [] })
  })

  test('prints one line of JSON with --json', async () => {
    const { stdout } = await ask(['Where?', '--json'], { isTTY: true })
    expect(stdout).toBe(`${JSON.stringify(ANSWER)}\n`)
  })

  test('prints warnings apart from the answer', async () => {
    const warnings = [{ code: 'MODEL_UNAVAILABLE', message: 'These are the passages that fit best.' }]
    const service = await serve(stream(['done', '1', { ...ANSWER, warnings }]))
    const { code, stdout, stderr } = await runCli(['chat', 'j', 'Why?'], { apiKey: 'sk_x', baseUrl: service.url })
    expect([code, stdout]).toEqual([0, TEXT])
    expect(stderr).toBe('These are the passages that fit best. (MODEL_UNAVAILABLE)\n')
  })

  test('ends with code 1 and the reason when a question is refused', async () => {
    const service = await serve(failure(403, 'PLAN_UPGRADE_REQUIRED', false))
    const result = await runCli(['chat', 'job-1', 'Why?'], { apiKey: 'sk_x', baseUrl: service.url })
    expect(result).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('(PLAN_UPGRADE_REQUIRED)') })
  })

  test('lists, shows and deletes conversations', async () => {
    const conversation = {
      conversation_id: 'c-1',
      title: 'Where was\nshe born?',
      message_count: 2,
      updated_at: '2026-11-22T22:01:00.000Z',
    }
    const updated = formatTime(conversation.updated_at)
    const messages = [
      { role: 'user', content: 'Where was\nshe born?' },
      { role: 'assistant', status: 'complete', content: CONTENT, citations: CITATIONS },
      { role: 'user', content: 'And when?' },
      { role: 'assistant', status: 'pending', content: '', citations: [] },
    ]
    const service = await serve(data({ conversations: [conversation], pagination: { next_cursor: null } }))
    const cli = async (...args: string[]) =>
      (await runCli(['chat', 'job-1', ...args], { apiKey: 'sk_x', baseUrl: service.url })).stdout
    expect(await cli('--list')).toBe(
      `CONVERSATION  MESSAGES  ${'UPDATED'.padEnd(updated.length)}  FIRST QUESTION\nc-1           2         ${updated}  Where was she born?\n`,
    )
    service.replyWith(data({ ...conversation, messages }))
    expect(await cli('--show', 'c-1')).toBe(`> Where was\n> she born?\n\n${TEXT}\n> And when?\n\n(pending)\n`)
    service.replyWith(data({ conversation_id: 'c-1', deleted: true }))
    expect(await cli('--delete', 'c-1')).toBe('deleted\n')
    expect(service.requests.at(-1)).toMatchObject({ method: 'DELETE', url: '/api/v1/videos/chat/job-1/c-1' })
  })
})
