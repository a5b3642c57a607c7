import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { data, failure, stream, useTestService } from '@subtext/sdk/testing'
import { SUMMARY_FORMATS } from './formats.ts'
import { readLogin } from './saved-login.ts'
import { formatTime } from './table.ts'
import { runCli, useFolders } from './testing/run-cli.ts'

const makeFolder = useFolders()
const serve = useTestService()

describe('the command line', () => {
  test('lists its commands with --help', async () => {
    const { code, stdout } = await runCli(['--help'])
    expect(code).toBe(0)
    for (const name of [
      'summarize',
      'transcript',
      'status',
      'result',
      'list',
      'cancel',
      'chat',
      'estimate',
      'derive',
      'receipt',
      'usage',
      'login',
      'logout',
      'completion',
    ]) {
      expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'))
    }
  })

  test.each([
    [[], 'Usage: subtext [options] [command]'],
    [['list', '--all'], '(`subtext --help` lists the commands)'],
    [['sumarize', 'x'], 'Did you mean summarize?'],
    [['summarize'], "missing required argument 'url'"],
    [['summarize', 'x', '--format', 'doc'], `Allowed choices are ${SUMMARY_FORMATS.join(', ')}.`],
    [['summarize', 'x', 'y', '--format', 'png'], 'PNG needs a file or a folder: name one with --output.'],
    [['summarize', 'x', 'y', '--format', 'pdf'], 'PDF needs a file or a folder: name one with --output.'],
    [['list', '--limit', '0'], 'Must be a number of at least 1.'],
    [['summarize', '-'], 'There is no URL on standard input.'],
    [['summarize', 'x', '-o', ''], '--output is empty. Name a file or a folder.'],
    [['status', '..', '--json'], 'An ID is missing or invalid. (VALIDATION_ERROR)', { apiKey: 'sk_x' }],
    [['result', ''], 'An ID is missing or invalid. (VALIDATION_ERROR)', { apiKey: 'sk_x' }],
    [['chat', 'x', '--list', 'Why?'], 'Use one of these at a time: --list, a question.'],
    [['list'], 'No API key: run `subtext login` or set SUBTEXT_API_KEY.'],
  ] as [string[], string, object?][])(
    'ends with code 2 and says what is wrong with %j',
    async (args, message, options = {}) => {
      const { code, stdout, stderr } = await runCli(args, options)
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toContain(message)
    },
  )

  test('sends the saved key to no other service than its own', async () => {
    const service = await serve(data({ jobs: [], pagination: { next_cursor: null } }))
    const configFile = join(await makeFolder(), 'config.json')
    await writeFile(configFile, JSON.stringify({ apiKey: 'sk_saved', baseUrl: 'https://subtext.example.org' }))
    const { code, stderr } = await runCli(['list'], { configFile, baseUrl: service.url })
    expect([code, stderr]).toEqual([2, expect.stringContaining(`a service other than ${service.url}`)])
    expect(service.requests).toEqual([])
    await writeFile(configFile, JSON.stringify({ apiKey: 'sk_saved', baseUrl: `${service.url}/` }))
    expect(await runCli(['list'], { configFile, baseUrl: service.url })).toMatchObject({ code: 0 })
  })

  test('keeps control sequences in titles from a terminal, and changes nothing in a pipe', async () => {
    const title = 'a\u001b]52;c;ZXZpbA==\u0007b\u009b2J\rc\n'
    const service = await serve(data({}))
    const print = (isTTY: boolean) => runCli(['result', 'job-1'], { apiKey: 'sk_x', baseUrl: service.url, isTTY })
    const ended = { job_id: 'job-1', status: 'completed', video_id: 'dQw4w9WgXcQ', video_url: 'x' }
    service.replyWith(stream(['completed', '1', ended]), (response) => void response.end(title))
    expect((await print(true)).stdout).toBe('a]52;c;ZXZpbA==b2Jc\n')
    service.replyWith(stream(['completed', '1', ended]), (response) => void response.end(title))
    expect((await print(false)).stdout).toBe(title)
  })

  test('prints its version', async () => {
    const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
    expect(await runCli(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  test('asks the service about modes and languages that are empty', async () => {
    const service = await serve(failure(400, 'VALIDATION_ERROR', false))
    const { code } = await runCli(['summarize', 'x', '-m', '', '-l', ''], { apiKey: 'sk_x', baseUrl: service.url })
    expect(code).toBe(2)
    expect(JSON.parse(service.requests[0]?.body ?? '')).toMatchObject({
      options: { summary_modes: [''], language: '' },
    })
  })

  test('ends with code 3 if some results exist already and the other videos fail, whether or not it waits', async () => {
    const service = await serve(failure(400, 'INVALID_VIDEO_URL', false))
    const folder = await makeFolder()
    await writeFile(join(folder, 'sbtx-en-map.md'), '')
    const args = ['summarize', 'https://youtu.be/sbtx-en-map', 'https://youtu.be/private', '-o', folder]
    for (const more of [[], ['--no-wait']]) {
      expect(await runCli([...args, ...more], { apiKey: 'sk_x', baseUrl: service.url })).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(/^1 of 2 already exist\.\n.*\(INVALID_VIDEO_URL\)\n$/),
      })
    }
  })

  const onLinux = existsSync('/dev/full') ? test : test.skip

  onLinux('says in one line that standard output cannot be written', () => {
    const { status, stderr } = spawnSync('sh', [
      '-c',
      '"$0" --conditions=subtext-source --import tsx packages/cli/src/main.ts --help > /dev/full',
      process.execPath,
    ])
    expect([status, String(stderr)]).toEqual([
      1,
      expect.stringMatching(/^Cannot write to standard output: ENOSPC.*\n$/),
    ])
  })

  test('shows small costs, and large numbers with separators, in the usage of the account', async () => {
    const quota = { used: 1_204, limit: 30_000 }
    const usage = {
      plan: 'pro',
      quotas: { daily: { used: 4, limit: null }, monthly: quota },
      current_period: { total_tokens: 1_234_567, total_cost: 0.001978 },
      rate_limits: { requests_per_hour: quota },
      spending: { month: { limit_usd: 20 } },
    }
    const service = await serve(data(usage))
    const { stdout } = await runCli(['usage'], { apiKey: 'sk_x', baseUrl: service.url })
    expect(stdout).toBe(`Plan                pro
Videos today        4
Videos this month   1,204 of 30,000
Requests this hour  1,204 of 30,000
Tokens this month   1,234,567
Cost this month     $0.001978 of $20.000000
`)
  })

  test('says why an estimate refuses a video, and when a quota resets', async () => {
    const message = 'The daily quota is used up. It resets at `details.reset_at`.'
    const violation = { code: 'QUOTA_EXCEEDED', message, quota: 'daily', reset_at: '2026-01-15T00:00:00.000Z' }
    const cost_usd = { low: 0.001, expected: 0.002, high: 0.003 }
    const estimate = { would_accept: false, violations: [violation], cached: { modes: [] }, cost_usd, basis: 'typical' }
    const service = await serve(data(estimate))
    const { code, stderr } = await runCli(['estimate', 'x'], { apiKey: 'sk_x', baseUrl: service.url })
    expect([code, stderr]).toEqual([
      1,
      `The daily quota is used up. It resets at ${formatTime(violation.reset_at)}. (QUOTA_EXCEEDED)\n`,
    ])
  })

  test.each([['usage'], ['result', 'job-1']])(
    'says what to check when the service cannot be reached: %s',
    async (...args) => {
      const { code, stderr } = await runCli(args, { apiKey: 'sk_x', baseUrl: 'http://127.0.0.1:9' })
      expect(code).toBe(1)
      expect(stderr).toContain('Is the service running?')
    },
  )
})

describe('login', () => {
  const KEY = `sk_${'a1'.repeat(32)}`

  test('saves a key that works, readable by its owner alone', async () => {
    const server = createServer((request, response) => {
      const valid = request.headers.authorization === `Bearer ${KEY}`
      response.writeHead(valid ? 200 : 401)
      response.end(JSON.stringify({ success: valid, data: { plan: 'pro' }, meta: {} }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const configFile = join(await makeFolder(), 'subtext', 'config.json')
      const { code, stderr } = await runCli(['login', '--base-url', baseUrl], { stdin: `${KEY}\n`, configFile })
      expect([code, stderr]).toEqual([0, expect.stringContaining('plan pro')])
      expect(JSON.parse(await readFile(configFile, 'utf8'))).toEqual({ apiKey: KEY, baseUrl })
      expect((await stat(configFile)).mode & 0o777).toBe(0o600)
      // A login with other permissions is replaced.
      await chmod(configFile, 0o644)
      const { stdout } = await runCli(['login', '--json'], { stdin: KEY, configFile })
      expect(JSON.parse(stdout)).toEqual({ plan: 'pro', config_file: configFile })
      expect((await stat(configFile)).mode & 0o777).toBe(0o600)
      expect(await readdir(dirname(configFile))).toEqual(['config.json'])

      const refused = await runCli(['login'], { stdin: KEY.replace('a1', 'b2'), configFile })
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('does not accept this key') })
      expect(await readLogin(configFile)).toMatchObject({ apiKey: KEY })
    } finally {
      server.close()
    }
  })

  test('says that a key is valid if it cannot be saved', async () => {
    const service = await serve(data({ plan: 'pro' }))
    const configFile = '/dev/null/config.json'
    const { code, stderr } = await runCli(['login'], { stdin: KEY, configFile, baseUrl: service.url })
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`The key is valid, but ${configFile} cannot be written: `),
    ])
    expect(stderr).not.toContain(KEY)
  })

  test('refuses a text that is not a key, and keeps the saved key', async () => {
    const configFile = join(await makeFolder(), 'config.json')
    await writeFile(configFile, '{"apiKey":"sk_old"}')
    const { code, stderr } = await runCli(['login'], { stdin: 'password', configFile })
    expect([code, stderr]).toEqual([2, expect.stringContaining('This is not an API key')])
    expect(await readLogin(configFile)).toEqual({ apiKey: 'sk_old' })
  })
})
