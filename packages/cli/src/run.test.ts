import { readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { readLogin } from './saved-login.ts'
import { runCli, useFolders } from './testing/run-cli.ts'

const makeFolder = useFolders()

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
      'usage',
      'login',
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
    [['summarize', 'x', '--format', 'doc'], 'Allowed choices are md, txt, html, csv, srt, vtt, pdf, png, svg, json.'],
    [['summarize', 'x', 'y', '--format', 'png'], 'PNG needs a file or a folder: name one with --output.'],
    [['summarize', 'x', 'y', '--format', 'pdf'], 'PDF needs a file or a folder: name one with --output.'],
    [['list', '--limit', '0'], 'Must be a number from 1 on.'],
    [['summarize', '-'], 'There is no URL on the standard input.'],
    [['list'], 'No API key: run `subtext login` or set SUBTEXT_API_KEY.'],
  ])('ends with code 2 and says what is wrong with %j', async (args, message) => {
    const { code, stdout, stderr } = await runCli(args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
  })

  test('says where to look when the service cannot be reached', async () => {
    const { code, stderr } = await runCli(['usage'], { apiKey: 'sk_x', baseUrl: 'http://127.0.0.1:9' })
    expect(code).toBe(1)
    expect(stderr).toContain('Is the service running?')
  })

  test.each(['bash', 'zsh', 'fish'])('prints a completion script for %s', async (shell) => {
    const log = jest.spyOn(console, 'log').mockImplementation(() => undefined)
    const { code } = await runCli(['completion', shell])
    expect([code, String(log.mock.calls[0]?.[0])]).toEqual([0, expect.stringContaining('subtext')])
    log.mockRestore()
  })
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

      const refused = await runCli(['login'], { stdin: KEY.replace('a1', 'b2'), configFile })
      expect(refused.code).toBe(1)
      expect(await readLogin(configFile)).toMatchObject({ apiKey: KEY })
    } finally {
      server.close()
    }
  })

  test('refuses what is no key, and leaves the saved one', async () => {
    const configFile = join(await makeFolder(), 'config.json')
    await writeFile(configFile, '{"apiKey":"sk_old"}')
    const { code, stderr } = await runCli(['login'], { stdin: 'password', configFile })
    expect([code, stderr]).toEqual([2, expect.stringContaining('That is no API key')])
    expect(await readLogin(configFile)).toEqual({ apiKey: 'sk_old' })
  })
})
