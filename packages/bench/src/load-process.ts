import { setTimeout as sleep } from 'node:timers/promises'
import { at } from '@subtext/runtime'
import { Pool } from 'undici'
import { handleCalls } from './child-process.ts'
import type { FollowOptions, FollowReport, LoadOptions, LoadReport } from './load.ts'
import { median, quantile } from './quartiles.ts'

/** Kept for all rounds, so that connections are opened before a round is measured and not during it. */
const pools = new Map<string, Pool>()

function poolOf({ origin, callers }: LoadOptions): Pool {
  const name = `${origin} ${callers}`
  const pool = pools.get(name) ?? new Pool(origin, { connections: callers, pipelining: 1 })
  pools.set(name, pool)
  return pool
}

/** Requests sent in all rounds. Counted across rounds so that every key is used in turn. */
let sent = 0

function send(pool: Pool, options: LoadOptions): Promise<number> {
  const { method, status, paths, headers, bodies = [undefined] } = options
  const nth = sent++
  const path = at(paths, nth % paths.length)
  return new Promise((resolve, reject) => {
    let bytes = 0
    let received = 0
    pool.dispatch(
      { method, path, headers: at(headers, nth % headers.length), body: bodies[nth % bodies.length] },
      {
        onRequestStart() {},
        onResponseStart(_controller, statusCode) {
          received = statusCode
        },
        onResponseData(_controller, chunk) {
          bytes += chunk.length
        },
        onResponseEnd() {
          if (received === status) resolve(bytes)
          else reject(new Error(`${method} ${path} responded with ${received} instead of ${status}.`))
        },
        onResponseError: (_controller, error) => reject(error),
      },
    )
  })
}

/** Sends requests when they are due, and waits for all responses. Throws on a wrong status. */
async function load(options: LoadOptions): Promise<LoadReport> {
  const { count, perSecond = Number.POSITIVE_INFINITY } = options
  const pool = poolOf(options)
  const millis: number[] = []
  let bytes = 0
  const startedAt = performance.now()
  const sendDue = async (dueAt: number): Promise<void> => {
    const received = await send(pool, options)
    bytes += received
    millis.push(performance.now() - dueAt)
  }
  const requests: Promise<void>[] = []
  for (let nth = 0; nth < count; nth++) {
    const dueAt = startedAt + (1_000 * nth) / perSecond
    const early = dueAt - performance.now()
    if (early > 0) await sleep(early)
    const request = sendDue(dueAt)
    // The end of the round reports it: until then, nobody waits for it.
    request.catch(() => {})
    requests.push(request)
  }
  await Promise.all(requests)
  const seconds = (performance.now() - startedAt) / 1_000
  return { count: millis.length, seconds, medianMs: median(millis), p99Ms: quantile(millis, 0.99), bytes }
}

let followed: { pool: Pool; report: FollowReport } | undefined

const OPEN_AT_ONCE = 20

/** Opens streams. Resolves when the first piece of each has arrived. */
async function follow({ origin, streams }: FollowOptions): Promise<void> {
  const pool = new Pool(origin, { connections: streams.length, pipelining: 1, bodyTimeout: 0 })
  const report: FollowReport = { open: 0, pieces: 0 }
  followed = { pool, report }
  const open = ({ path, headers }: FollowOptions['streams'][number]): Promise<void> =>
    new Promise((resolve, reject) => {
      pool.dispatch(
        { method: 'GET', path, headers },
        {
          onRequestStart() {},
          onResponseStart(_controller, statusCode) {
            if (statusCode === 200) report.open++
            else reject(new Error(`GET ${path} responded with ${statusCode}.`))
          },
          onResponseData() {
            report.pieces++
            resolve()
          },
          onResponseEnd: () => report.open--,
          onResponseError(_controller, error) {
            report.open--
            reject(error)
          },
        },
      )
    })
  const waiting = streams.values()
  const openAll = async (): Promise<void> => {
    for (const stream of waiting) await open(stream)
  }
  await Promise.all(Array.from({ length: OPEN_AT_ONCE }, openAll))
}

async function reportFollowed(): Promise<FollowReport> {
  if (!followed) throw new Error('No streams are open.')
  const report = { ...followed.report }
  followed.report.pieces = 0
  return report
}

async function unfollow(): Promise<void> {
  await followed?.pool.destroy()
  followed = undefined
}

handleCalls({ load, follow, reportFollowed, unfollow })
