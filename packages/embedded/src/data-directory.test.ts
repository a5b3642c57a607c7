import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { claimDirectory } from './data-directory.ts'
import { markProcess } from './process-mark.ts'

const STEPS = [
  { signal: 'SIGTERM', graceMs: 200 },
  { signal: 'SIGKILL', graceMs: 4000 },
] as const

let directory: string
let child: ChildProcess | undefined
const progress: string[] = []
const claim = () => claimDirectory(directory, STEPS, (text) => progress.push(text))

async function spawnSleeper(command: string): Promise<{ pid: number; process: ChildProcess }> {
  child = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'ignore'] })
  await once(child.stdout ?? child, 'data')
  return { pid: child.pid ?? 0, process: child }
}

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'subtext claim-'))
  progress.length = 0
})
afterEach(() => {
  child?.kill('SIGKILL')
  child = undefined
  rmSync(directory, { recursive: true })
})

describe('claimDirectory', () => {
  test('lets one in at a time, and leaves nothing behind', async () => {
    const first = await claim()
    expect(statSync(directory).mode & 0o777).toBe(0o700)
    await expect(claim()).rejects.toThrow(`is in use by another running instance (pid ${process.pid}).`)
    first.release()
    const second = await claim()
    second.release()
    expect(readdirSync(directory)).toEqual([])
  })

  test('of many at once lets in one, also over a stale lock', async () => {
    writeFileSync(join(directory, 'owner.lock'), JSON.stringify({ pid: process.pid, began: 'long ago' }))
    const results = await Promise.allSettled(Array.from({ length: 20 }, claim))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('takes over a lock that holds nothing', async () => {
    writeFileSync(join(directory, 'owner.lock'), '')
    await expect(claim()).resolves.toMatchObject({ path: directory })
  })

  test('ends the server of an owner that is gone, by force if need be', async () => {
    const { pid, process: server } = await spawnSleeper('trap "" TERM; echo ready; while :; do sleep 1; done')
    const ended = once(server, 'exit')
    writeFileSync(join(directory, 'server.pid'), JSON.stringify(markProcess(pid)))
    await claim()
    expect(await ended).toEqual([null, 'SIGKILL'])
    expect(progress).toEqual([expect.stringContaining(`(pid ${pid})`)])
  })

  test('leaves a stranger alone who got the pid of that server', async () => {
    const { pid, process: stranger } = await spawnSleeper('echo ready; exec sleep 60')
    writeFileSync(join(directory, 'server.pid'), JSON.stringify({ pid, began: 'before' }))
    await claim()
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull()
    expect(progress).toEqual([])
  })
})
