import { Pool } from 'undici'
import { answerQuestions } from './child-process.ts'
import type { LoadOrder, LoadReport } from './load.ts'
import { median } from './median.ts'

/** Kept over all rounds: connections are opened before a round is measured, not within it. */
const pools = new Map<string, Pool>()

function poolOf({ origin, callers }: LoadOrder): Pool {
  const name = `${origin} ${callers}`
  const pool = pools.get(name) ?? new Pool(origin, { connections: callers, pipelining: 1 })
  pools.set(name, pool)
  return pool
}

/** Number of the next request over all rounds, so that every key has its turn. */
let sent = 0

function send(pool: Pool, order: LoadOrder): Promise<number> {
  const { method, path, headers, body, status } = order
  return new Promise((resolve, reject) => {
    let bytes = 0
    let answered = 0
    pool.dispatch(
      { method, path, headers: headers[sent++ % headers.length], body },
      {
        onRequestStart() {},
        onResponseStart(_controller, statusCode) {
          answered = statusCode
        },
        onResponseData(_controller, chunk) {
          bytes += chunk.length
        },
        onResponseEnd() {
          if (answered === status) resolve(bytes)
          else reject(new Error(`${method} ${path} answered ${answered}, not ${status}`))
        },
        onResponseError: (_controller, error) => reject(error),
      },
    )
  })
}

/** As many callers at once, each with its next request as soon as its last was answered. Any wrong answer ends it. */
async function load(order: LoadOrder): Promise<LoadReport> {
  const pool = poolOf(order)
  const millis: number[] = []
  let bytes = 0
  const began = performance.now()
  const deadline = began + order.seconds * 1_000
  const call = async (): Promise<void> => {
    while (performance.now() < deadline) {
      const start = performance.now()
      bytes += await send(pool, order)
      millis.push(performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: order.callers }, call))
  return { count: millis.length, seconds: (performance.now() - began) / 1_000, medianMs: median(millis), bytes }
}

answerQuestions({ load })
