import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { SAMPLE_TALKS } from '@subtext/fakes'
import type { AppProcess } from '@subtext/standalone'
import { useClient, useTestSystem, watchUrl } from '@subtext/testbed'
import { startMcp } from '../src/start-mcp.ts'

const TOOLS = ['@modelcontextprotocol/conformance@0.1.16', '@modelcontextprotocol/inspector@2.12.0']
/** Those that need no tools, prompts or resources of a server that is made for this test. */
const SCENARIOS = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
]

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const runs = major > 22 || (major === 22 && minor >= 19) ? test : test.skip

const system = useTestSystem({})
const client = useClient(system)
let folder: string
let app: AppProcess
let proxy: Server

beforeAll(async () => {
  app = await startMcp(system)
  proxy = await startProxy(new URL(system.mcpUrl))
  folder = await mkdtemp(join(tmpdir(), 'subtext-mcp-tools-'))
  await writeFile(join(folder, 'package.json'), '{"private":true}')
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent']
  await promisify(execFile)('npm', ['install', ...options, ...TOOLS], { cwd: folder })
})
afterAll(async () => {
  proxy?.closeAllConnections()
  proxy?.close()
  await app?.stop(60_000)
  if (folder) await rm(folder, { recursive: true, force: true })
})

/** Starts a server that adds the key, which the conformance suite cannot send. */
async function startProxy(target: URL): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming
    const options = { method, headers: { ...headers, authorization: `Bearer ${client.key}` } }
    const forwarded = request(new URL(url ?? '/', target), options, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return server
}

/** Runs a tool, and returns its output; rejects if it fails. */
const runTool = async (path: string, ...args: string[]): Promise<string> => {
  const file = join(folder, 'node_modules/@modelcontextprotocol', path)
  return (await promisify(execFile)(process.execPath, [file, ...args], { cwd: folder, maxBuffer: 1e8 })).stdout
}

runs.each(SCENARIOS)('the MCP server passes the scenario %s of the conformance suite', async (scenario) => {
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`
  const report = await runTool('conformance/dist/index.js', 'server', '--url', url, '--scenario', scenario)
  expect(report).not.toMatch(/FAILURE|[1-9]\d* failed/)
})

runs('the inspector lists the tools and summarizes a video', async () => {
  const inspect = async (...args: string[]) => {
    const options = ['--transport', 'http', '--header', `Authorization: Bearer ${client.key}`]
    const launcher = 'inspector/clients/launcher/build/index.js'
    return JSON.parse(await runTool(launcher, '--cli', system.mcpUrl, ...options, ...args))
  }
  const { tools } = await inspect('--method', 'tools/list')
  expect(tools).toHaveLength(5)
  const call = ['--method', 'tools/call', '--tool-name', 'summarize_platform_video']
  const result = await inspect(...call, '--tool-arg', `video_url=${watchUrl(SAMPLE_TALKS.english.id)}`)
  expect(result.structuredContent).toMatchObject({ status: 'completed' })
})
