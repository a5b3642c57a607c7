import { type ServerKind, startMessagesApi } from '@subtext/fakes'
import { runAdminProgram } from './admin-program.ts'

const check = async (settings: Record<string, string>) =>
  runAdminProgram(['check-model'], { settings, readInput: async () => '' })

async function checkServer(kind: ServerKind | undefined, settings: Record<string, string> = {}) {
  const api = await startMessagesApi({ kind })
  const outcome = await check({
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_BASE_URL: api.baseUrl,
    SUMMARY_MODEL: 'a-model',
    ...settings,
  })
  await api.close()
  return { ...outcome, calls: api.calls }
}

/** Returns the rows of the report by their labels. */
const rowsOf = (out: string): Record<string, string> =>
  Object.fromEntries(out.split('\n').map((line) => [line.slice(0, 18).trim(), line.slice(18).trim()]))

test("reports what the provider's own API supports, and a sample summary", async () => {
  const { code, out, err } = await checkServer(undefined, { SUMMARY_MODEL: 'claude-haiku-5-5' })
  expect([code, err]).toEqual([0, ''])
  expect(rowsOf(out)).toMatchObject({
    'JSON Schema': 'yes',
    documents: 'yes',
    effort: 'yes',
    'cache control': 'yes',
    'cached tokens': 'counted',
    'counts tokens': 'yes',
    '6000 tokens': 'read in full',
  })
  expect(out).toMatch(/first text +\d+\.\d s/)
  expect(out).toMatch(/Sample summary of a talk of 10 sentences, in .* \$0\.\d*[1-9]/)
  expect(out).toMatch(/lighthouse .*\[0:/)
})

test.each<[ServerKind, Record<string, string>]>([
  ['no schema', { 'JSON Schema': 'no (ignored)', documents: 'no (ignored)', 'cached tokens': 'not counted' }],
  ['no documents', { 'JSON Schema': 'yes', documents: 'no (refused)' }],
  ['strict about fields', { 'JSON Schema': 'no (refused)', effort: 'no (refused)', 'cache control': 'no (refused)' }],
  ['no effort', { effort: 'no (refused)' }],
  ['thinking text first', { 'JSON Schema': 'no (ignored)' }],
  ['4,096 tokens of context, cut silently', { '6000 tokens': 'CUT WITHOUT AN ERROR. Set MODEL_CONTEXT_TOKENS' }],
])('%s: reports what is missing, and still summarizes the sample', async (kind, rows) => {
  const { code, out } = await checkServer(kind)
  expect(code).toBe(0)
  const expected = Object.entries(rows).map(([label, text]) => [
    label,
    expect.stringMatching(`^${text.replace(/[()]/g, '\\$&')}`),
  ])
  expect(rowsOf(out)).toMatchObject(Object.fromEntries(expected))
  expect(out).toContain('Sample summary of a talk of 10 sentences')
})

test('does not print a key that cannot be sent', async () => {
  const { code, out, err } = await checkServer(undefined, { ANTHROPIC_API_KEY: 'top\nsecretvalue' })
  expect([code, out, err]).toEqual([1, '', expect.stringContaining('does not answer')])
  expect(err).not.toMatch(/top|secretvalue/)
})

test('says that the context of the server has to be set if prompts are refused', async () => {
  const { code, out } = await checkServer('4,096 tokens of context')
  expect(code).toBe(0)
  expect(rowsOf(out)['6000 tokens']).toMatch(/^refused. Set MODEL_CONTEXT_TOKENS/)
  expect(out).toContain('The sample was not summarized')
})

test('stays within the context that is set', async () => {
  const { out, calls } = await checkServer('4,096 tokens of context', { MODEL_CONTEXT_TOKENS: '4096' })
  expect(rowsOf(out)['2596 tokens']).toBe('read in full')
  expect(calls.length).toBeLessThan(15)
})

test.each([
  ['no key', {}, /ANTHROPIC_API_KEY is not set/],
  [
    'a server that is not running',
    { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' },
    /cannot be reached/,
  ],
  ['a setting that is wrong', { MODEL_CONTEXT_TOKENS: '12' }, /MODEL_CONTEXT_TOKENS/],
])('fails with %s, and says what to do', async (_, settings, message) => {
  const { code, out, err } = await check(settings)
  expect([code, out]).toEqual([1, ''])
  expect(err).toMatch(message)
  expect(err).not.toContain('    at ')
})

test('prints nothing of a server that would steer the terminal', async () => {
  const api = await startMessagesApi()
  api.failNext({ status: 418, message: 'Sorry\u001b[2J\u009b\u202edetrever' }, { times: 20 })
  const { code, out, err } = await check({
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_BASE_URL: api.baseUrl,
    SUMMARY_MODEL: 'm',
  })
  await api.close()
  expect(code).toBe(1)
  expect(err).toContain('detrever')
  expect(out + err).not.toMatch(/[^\P{C}\n]/u)
})
