// Loaded before an app: records how long the app's main thread is blocked, in CPU time, which other processes of the machine
// do not lengthen.
import { appendFileSync, existsSync, openSync, readSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/** The kernel's statistics of the main thread, which begin with its nanoseconds of CPU (Documentation/scheduler/sched-stats.rst). */
const SCHEDSTAT = '/proc/self/schedstat'
const TICK_MS = 5
const MIN_BLOCK_MS = 10

if (isMainThread && existsSync(SCHEDSTAT)) {
  const file = openSync(SCHEDSTAT)
  // One buffer for all readings, since the memory of the app is measured too.
  const buffer = Buffer.alloc(128)
  const readCpuMs = () =>
    Number(buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, 0)).split(' ')[0]) / 1e6
  const target = `${new URL(import.meta.url).searchParams.get('to')}.${process.pid}`
  let last = readCpuMs()
  setInterval(() => {
    const now = readCpuMs()
    const block = now - last
    last = now
    if (block >= MIN_BLOCK_MS) appendFileSync(target, `${Date.now()} ${block.toFixed(1)}\n`)
  }, TICK_MS).unref()
}
