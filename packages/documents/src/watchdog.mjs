// A thread of a render process. Compiling blocks the main thread, so this one enforces what must not wait for it.
import { workerData } from 'node:worker_threads'

const { maxBytes, parent, cpuLimit } = workerData
const CHECK_MS = 50

const usedCpuMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

// To the parent, SIGKILL means too much memory, and SIGALRM too much CPU time. The main thread need not handle either.
setInterval(() => {
  if (process.memoryUsage.rss() > maxBytes || process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
  const [limit] = cpuLimit
  if (limit > 0 && usedCpuMs() > limit) process.kill(process.pid, 'SIGALRM')
}, CHECK_MS)
