import { once } from 'node:events'
import { TEST_SECRET_KEY } from '@subtext/core/testing'
import { useTestDatabase } from '@subtext/db/testing'
import { findFreePort } from '@subtext/embedded'
import { waitUntil } from '@subtext/embedded/testing'
import { testQueue } from '@subtext/queue/testing'
import { Containers, listMissing } from './containers.ts'

const missing = listMissing()
const describeWithTools = missing.length === 0 ? describe : describe.skip

describeWithTools(`the image${missing.length > 0 ? ` (needs ${missing.join(', ')})` : ''}`, () => {
  const database = useTestDatabase()
  let containers: Containers
  let bytes: number
  let env: Record<string, string>

  beforeAll(async () => {
    containers = await Containers.open()
    bytes = containers.build()
    const { url, prefix } = testQueue()
    env = {
      DATABASE_URL: database.url,
      REDIS_URL: url,
      QUEUE_PREFIX: prefix,
      WEBHOOK_SECRET_KEY: TEST_SECRET_KEY,
      HOST: '127.0.0.1',
      PORT: String(await findFreePort()),
      MCP_PORT: '0',
      METRICS_PORT: String(await findFreePort()),
      SHUTDOWN_GRACE_SECONDS: '1',
    }
  })
  afterAll(() => containers.close())

  const evaluate = (expression: string): unknown =>
    JSON.parse(containers.runProgram('evaluate', {}, '-p', `JSON.stringify(${expression})`))

  test('is at most 170 MB larger than its base', () => {
    process.stdout.write(`The image is ${(bytes / 1e6).toFixed(1)} MB larger than its base.\n`)
    expect(bytes).toBeGreaterThan(0)
    expect(bytes).toBeLessThan(170e6)
  })

  test('contains the build, its licence and its bill of materials, and no source', () => {
    const fs = `process.getBuiltinModule('fs')`
    expect(evaluate(`${fs}.readdirSync('/app')`)).toEqual(['LICENSE', 'dist', 'dist-dashboard'])
    const listed = `JSON.parse(${fs}.readFileSync('/app/dist/sbom.cdx.json')).components.map(({ name }) => name)`
    expect(evaluate(listed)).toEqual(expect.arrayContaining(['express', 'zod']))
    expect(evaluate(`${fs}.existsSync('/app/dist/metafile.json')`)).toBe(false)
  })

  test('finds the system libraries that its native libraries need', () => {
    const load = (file: string): string => `Object.keys(require('/app/dist/documents/${file}')).length`
    const files = evaluate(
      `process.getBuiltinModule('fs').readdirSync('/app/dist/documents').filter((name) => name.endsWith('.node'))`,
    ) as string[]
    expect(files.map((file) => file.split('.')[0]).sort()).toEqual(['resvgjs', 'typst-ts-node-compiler'])
    for (const file of files) expect(evaluate(load(file))).toBeGreaterThan(0)
  })

  test('names its version, its user and its health check', () => {
    expect(containers.inspect()).toMatchObject({
      User: '1000:1000',
      Labels: { 'org.opencontainers.image.version': '1.2.3', 'org.opencontainers.image.licenses': 'MIT' },
      Healthcheck: { Test: ['CMD', 'node', '-e', expect.any(String)] },
    })
  })

  test('runs without root, and cannot write anywhere', () => {
    expect(evaluate('[process.getuid(), process.getgid()]')).toEqual([1000, 1000])
    for (const folder of ['/app', '/tmp', '/var/tmp']) {
      const write = `(() => { try { process.getBuiltinModule('fs').writeFileSync('${folder}/a', '') } catch ({ code }) { return code } })()`
      expect([folder, evaluate(write)]).toEqual([folder, expect.stringMatching(/^(EROFS|EACCES)$/)])
    }
  })

  test('migrates', () => {
    expect(containers.runProgram('migrate', env, 'dist/standalone/migrate.js')).toBe('The database is up to date.')
  })

  test.each([
    ['api', [], 'ready'],
    ['worker', ['dist/worker/main.js'], 'ready'],
    ['webhooks', ['dist/webhooks/main.js'], 'ready'],
    // It is ready together with the API that it calls.
    ['mcp', ['dist/mcp/main.js'], 'live'],
  ])('starts the %s process, which becomes healthy and stops on SIGTERM', async (name, args, check) => {
    const child = containers.startProgram(name, env, ...args)
    const ended = once(child, 'exit')
    const origin = `http://127.0.0.1:${env.METRICS_PORT}`
    await waitUntil(`the process is ${check}`, () =>
      fetch(`${origin}/health/${check}`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    const [, ...healthcheck] = containers.inspect().Healthcheck.Test
    containers.podman('exec', name, ...healthcheck)
    containers.podman('kill', '--signal', 'TERM', name)
    expect(await ended).toEqual([0, null])
  })
})
