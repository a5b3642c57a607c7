import { data, failure, useTestService } from '@subtext/sdk/testing'
import { runCli } from '../testing/run-cli.ts'

const serve = useTestService()

test.each([
  [1, 'uses 1 video of the quota'],
  [0, 'uses no video of the quota'],
])('says in the last line of a receipt what the job takes from the quota: %i', async (quotaEffect, text) => {
  const service = await serve(data({ lines: [], total: { cost_usd: 0, tokens: 0 }, quota_effect: quotaEffect }))
  const { code, stdout } = await runCli(['receipt', 'job-1'], { apiKey: 'sk_x', baseUrl: service.url })
  expect([code, stdout]).toEqual([0, `total  0 tokens  $0.000000  ${text}\n`])
})

test('counts the units of a line in the singular and in the plural', async () => {
  const line = { kind: 'model', action: 'summary', cost_usd: 0.001, message: 'Written.' }
  const lines = [
    { ...line, mode: 'tldr', quantity: 1_200, unit: 'token' },
    { ...line, kind: 'quota', action: 'reserve', cost_usd: 0, quantity: 1, unit: 'video' },
  ]
  const service = await serve(data({ lines, total: { cost_usd: 0.001, tokens: 1_200 }, quota_effect: 1 }))
  const { stdout } = await runCli(['receipt', 'job-1'], { apiKey: 'sk_x', baseUrl: service.url })
  expect(stdout).toContain('1200 tokens')
  expect(stdout).toContain('1 video ')
})

test.each([
  [['estimate', 'x'], '/videos/estimate', { url: 'x', options: { output_language: 'de', max_cost_usd: 0.5 } }],
  [['derive', 'job-1'], '/videos/derive/job-1', { output_language: 'de', max_cost_usd: 0.5 }],
])('%j asks for another language, for instructions and for a limit', async (args, path, fields) => {
  const service = await serve(failure(403, 'PLAN_UPGRADE_REQUIRED', false))
  const more = ['--output-language', 'de', '--instructions', 'Numbers.', '--max-cost', '0.5']
  await runCli([...args, ...more], { apiKey: 'sk_x', baseUrl: service.url })
  expect(service.requests[0]?.url).toBe(`/api/v1${path}`)
  expect(JSON.parse(service.requests[0]?.body ?? '')).toEqual({ ...fields, custom_instructions: 'Numbers.' })
})
