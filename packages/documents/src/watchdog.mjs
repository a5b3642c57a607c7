// A thread of a render process. Compiling blocks the main thread, so this one enforces what must not wait for it.
import { workerData } from 'node:worker_threads'

const { maxBytes, parent } = workerData
const CHECK_MS = 50

// SIGKILL, because the main thread could not handle another signal. To the parent it means too much memory.
setInterval(() => {
  if (process.memoryUsage.rss() > maxBytes || process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
}, CHECK_MS)
