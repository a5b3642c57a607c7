import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { isRunning, markProcess, parseProcessMark } from './process-mark.ts'
import { waitUntil } from './wait.ts'

describe('process marks', () => {
  test('match a running process until it exits', async () => {
    const child = spawn('sleep', ['60'])
    await once(child, 'spawn')
    const mark = markProcess(child.pid ?? 0)
    expect(mark).toEqual({ pid: child.pid, began: expect.stringMatching(/./) })
    expect(mark && isRunning(mark)).toBe(true)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(mark && isRunning(mark)).toBe(false)
  })

  test('distinguish a process from a later one with the same pid', () => {
    expect(isRunning({ pid: process.pid, began: 'at another time' })).toBe(false)
  })

  test('treat a zombie as exited', async () => {
    // The shell turns into `sleep`, which never waits for the child it does not know about.
    const parent = spawn('sh', ['-c', 'sleep 1 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] })
    const zombie = Number(String((await once(parent.stdout, 'data'))[0]))
    expect(await waitUntil(() => markProcess(zombie) === undefined, 120_000)).toBe(true)
    expect(process.kill(zombie, 0)).toBe(true)
    parent.kill('SIGKILL')
    await once(parent, 'exit')
  })

  test.each(['', '{', '{"pid":0,"began":"x"}', '{"pid":1.5,"began":"x"}', '{"pid":7}', 'null'])(
    'are not parsed from %j',
    (text) => expect(parseProcessMark(text)).toBeNull(),
  )
})
