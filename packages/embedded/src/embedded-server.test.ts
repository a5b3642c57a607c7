import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { claimDirectory } from './data-directory.ts'
import { type ServerPlan, startServer } from './embedded-server.ts'

const SHUTDOWN = [{ signal: 'SIGTERM', graceMs: 4000 }] as const
let directory: string

/** Plans a server that runs the n-th script at the n-th attempt, and the last script from then on. */
function planScripts(scripts: readonly string[]): { plan: ServerPlan; ports: number[] } {
  const ports: number[] = []
  const plan: ServerPlan = {
    name: 'Test server',
    logFile: join(directory, 'server.log'),
    shutdown: SHUTDOWN,
    command: (port) => {
      const script = scripts[Math.min(ports.length, scripts.length - 1)] ?? ''
      ports.push(port)
      return { file: '/bin/sh', args: ['-c', script], cwd: directory, env: { PATH: '/usr/bin:/bin' } }
    },
    // The scripts that exit do so before the server could be ready.
    isReady: async () => scripts[Math.min(ports.length, scripts.length) - 1]?.includes('sleep') ?? false,
    url: (port) => `test://127.0.0.1:${port}`,
  }
  return { plan, ports }
}

const claim = () => claimDirectory(directory, SHUTDOWN, () => {})

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'subtext server-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

describe('startServer', () => {
  test('tries another port after a server that exited at once', async () => {
    const { plan, ports } = planScripts(['exit 1', 'exit 1', 'exec sleep 60'])
    const server = await startServer(plan, await claim(), {})
    expect(new Set(ports).size).toBe(3)
    expect(server.url).toBe(`test://127.0.0.1:${ports[2]}`)
    await server.stop()
    expect(readdirSync(directory)).toEqual(['server.log'])
  })

  test('tries again on the same port if one is given', async () => {
    const { plan, ports } = planScripts(['exit 1', 'exec sleep 60'])
    const server = await startServer(plan, await claim(), { port: 4321 })
    expect(ports).toEqual([4321, 4321])
    await server.stop()
  })

  test('gives up with the end of the log in the message, and releases the directory', async () => {
    const { plan } = planScripts(['seq 100; echo out of luck >&2; exit 1'])
    const failure = startServer(plan, await claim(), {})
    await expect(failure).rejects.toThrow(/^Test server did not start.*:\n[\d\n]+\nout of luck$/s)
    await expect(failure).rejects.not.toThrow('\n50\n')
    expect(readdirSync(directory)).toEqual(['server.log'])
  })

  test('releases the directory if the program cannot be run', async () => {
    const { plan } = planScripts([''])
    const missing = { ...plan, command: () => ({ ...plan.command(1), file: join(directory, 'missing') }) }
    await expect(startServer(missing, await claim(), {})).rejects.toThrow('ENOENT')
    ;(await claim()).release()
  })

  test('releases the directory when the server exits by itself', async () => {
    const { plan } = planScripts(['exec sleep 60'])
    const server = await startServer(plan, await claim(), {})
    await expect(claim()).rejects.toThrow('in use')
    process.kill(server.pid, 'SIGKILL')
    await server.exited
    ;(await claim()).release()
    await server.stop()
  })
})
