import { Pool } from 'undici'
import { handleCalls } from './child-process.ts'
import type { FollowOptions, FollowReport, LoadOptions, LoadReport } from './load.ts'
import { median } from './quartiles.ts'

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
  const { method, headers, body, status } = options
  const nth = sent++
  const path = typeof options.path === 'string' ? options.path : (options.path[nth % options.path.length] ?? '')
  return new Promise((resolve, reject) => {
    let bytes = 0
    let received = 0
    pool.dispatch(
      { method, path, headers: headers[nth % headers.length], body },
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

/** Runs concurrent callers, each of which sends a request as soon as its last one was answered. Throws on a wrong status. */
async function load(options: LoadOptions): Promise<LoadReport> {
  const pool = poolOf(options)
  const millis: number[] = []
  let bytes = 0
  let left = options.count
  const startedAt = performance.now()
  const call = async (): Promise<void> => {
    while (left-- > 0) {
      const start = performance.now()
      const received = await send(pool, options)
      bytes += received
      millis.push(performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: options.callers }, call))
  return { count: millis.length, seconds: (performance.now() - startedAt) / 1_000, medianMs: median(millis), bytes }
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
