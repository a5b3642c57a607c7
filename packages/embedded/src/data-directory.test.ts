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
  test('admits one owner at a time and leaves no file behind', async () => {
    const first = await claim()
    expect(statSync(directory).mode & 0o777).toBe(0o700)
    await expect(claim()).rejects.toThrow(`is in use by another running instance (pid ${process.pid}).`)
    first.release()
    const second = await claim()
    second.release()
    expect(readdirSync(directory)).toEqual([])
  })

  test('admits one of many concurrent callers, even if there is a stale lock', async () => {
    writeFileSync(join(directory, 'owner.lock'), JSON.stringify({ pid: process.pid, began: 'long ago' }))
    const results = await Promise.allSettled(Array.from({ length: 20 }, claim))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('takes over an empty lock', async () => {
    writeFileSync(join(directory, 'owner.lock'), '')
    await expect(claim()).resolves.toMatchObject({ path: directory })
  })

  test('stops the server of an owner that is gone, by force if necessary', async () => {
    const { pid, process: server } = await spawnSleeper('trap "" TERM; echo ready; while :; do sleep 1; done')
    const ended = once(server, 'exit')
    writeFileSync(join(directory, 'server.pid'), JSON.stringify(markProcess(pid)))
    await claim()
    expect(await ended).toEqual([null, 'SIGKILL'])
    expect(progress).toEqual([expect.stringContaining(`(pid ${pid})`)])
  })

  test('does not stop another process that has the pid of that server', async () => {
    const { pid, process: other } = await spawnSleeper('echo ready; exec sleep 60')
    writeFileSync(join(directory, 'server.pid'), JSON.stringify({ pid, began: 'before' }))
    await claim()
    expect(other.exitCode ?? other.signalCode).toBeNull()
    expect(progress).toEqual([])
  })
})
