// Loaded ahead of an app: writes down how long the app's main thread keeps everybody waiting, in CPU time, which other
// processes of the machine do not lengthen as they do time by the clock.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/** The kernel's count for the first thread: nanoseconds on the CPU come first (Documentation/scheduler/sched-stats.rst). */
const SCHEDSTAT = '/proc/self/schedstat'
const TICK_MS = 5
const WORTH_WRITING_MS = 10

const readCpuMs = () => Number(readFileSync(SCHEDSTAT, 'latin1').split(' ')[0]) / 1e6

if (isMainThread && existsSync(SCHEDSTAT)) {
  const target = `${new URL(import.meta.url).searchParams.get('to')}.${process.pid}`
  let last = readCpuMs()
  setInterval(() => {
    const now = readCpuMs()
    const stop = now - last
    last = now
    if (stop >= WORTH_WRITING_MS) appendFileSync(target, `${Date.now()} ${stop.toFixed(1)}\n`)
  }, TICK_MS).unref()
}
