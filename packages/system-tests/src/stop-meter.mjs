// Loaded ahead of an app: writes down how long the app's main thread keeps everybody waiting, in CPU time, which other
// processes of the machine do not lengthen as they do time by the clock.
import { appendFileSync, existsSync, openSync, readSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/** The kernel's count for the first thread: nanoseconds on the CPU come first (Documentation/scheduler/sched-stats.rst). */
const SCHEDSTAT = '/proc/self/schedstat'
const TICK_MS = 5
const WORTH_WRITING_MS = 10

if (isMainThread && existsSync(SCHEDSTAT)) {
  const file = openSync(SCHEDSTAT)
  // One for all readings: the memory of the app is measured too.
  const buffer = Buffer.alloc(128)
  const readCpuMs = () =>
    Number(buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, 0)).split(' ')[0]) / 1e6
  const target = `${new URL(import.meta.url).searchParams.get('to')}.${process.pid}`
  let last = readCpuMs()
  setInterval(() => {
    const now = readCpuMs()
    const stop = now - last
    last = now
    if (stop >= WORTH_WRITING_MS) appendFileSync(target, `${Date.now()} ${stop.toFixed(1)}\n`)
  }, TICK_MS).unref()
}
