import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SubmitVideo } from '@subtext/contracts'
import { Queue } from 'bullmq'
import compression from 'compression'
import express, { type Express, type RequestHandler, type Response } from 'express'
import helmet from 'helmet'
import { Redis } from 'ioredis'
import pg from 'pg'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import { v7 as newId } from 'uuid'
import winston from 'winston'
import { handleCalls } from '../child-process.ts'
import { JOB_COLUMNS, type JobRow, presentJob } from './present-job.ts'
import type { BaselineSettings } from './setup.ts'

const POOL = 10
const PAGE = 20
const POLL_MS = 2_000
const HEARTBEAT_MS = 15_000
const LIMIT = 1_000_000_000

interface Caller {
  user_id: string
  id: string
}

const FIND_KEY = `
SELECT k.user_id, k.id, u.plan, k.scopes FROM api_keys k JOIN users u ON u.id = k.user_id
WHERE k.hash = $1 AND k.revoked_at IS NULL AND k.disabled_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())`

const callerOf = (response: Response): Caller => response.locals.caller

/** Logs each request, adds headers, finds the caller by the hash of its key, and counts the request in Redis. */
function prepareRequests(pool: pg.Pool, redis: Redis, prefix: string): RequestHandler[] {
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: `${prefix}:limit`,
    points: LIMIT,
    duration: 3_600,
  })
  const log = winston.createLogger({
    level: 'info',
    defaultMeta: { service: 'api' },
    format: winston.format.combine(winston.format.timestamp(), winston.format.json()),
    transports: [new winston.transports.Console()],
  })
  return [
    (request, response, next) => {
      const id = request.get('x-request-id') ?? newId()
      response.setHeader('X-Request-Id', id)
      const started = performance.now()
      response.once('finish', () =>
        log.info('request', {
          method: request.method,
          path: request.route?.path,
          status: response.statusCode,
          duration_ms: Math.round(performance.now() - started),
          request_id: id,
        }),
      )
      next()
    },
    helmet(),
    compression(),
    async (request, response, next) => {
      const key = /^Bearer (\S+)$/.exec(request.get('authorization') ?? '')?.[1] ?? ''
      const { rows } = await pool.query(FIND_KEY, [createHash('sha256').update(key).digest()])
      if (!rows[0]) {
        response.status(401).json({ success: false })
        return
      }
      response.locals.caller = rows[0]
      const used = await limiter.consume(rows[0].id)
      response.setHeader('X-RateLimit-Limit', String(LIMIT))
      response.setHeader('X-RateLimit-Remaining', String(used.remainingPoints))
      response.setHeader('X-RateLimit-Reset', String(Math.ceil((Date.now() + used.msBeforeNext) / 1_000)))
      next()
    },
  ]
}

const succeed = (response: Response, data: unknown): void => {
  const meta = { request_id: response.getHeader('x-request-id'), timestamp: new Date().toISOString(), version: '1.1.0' }
  response.json({ success: true, data, meta })
}

const OPEN_QUOTA = `
INSERT INTO quota_usage (user_id, period, starts_on)
VALUES ($1, 'day', current_date), ($1, 'month', date_trunc('month', current_date)::date) ON CONFLICT DO NOTHING`
const USE_QUOTA = `
UPDATE quota_usage SET used = used + 1 WHERE user_id = $1 AND ((period = 'day' AND starts_on = current_date)
  OR (period = 'month' AND starts_on = date_trunc('month', current_date)::date)) RETURNING used`
const INSERT_JOB = `
INSERT INTO jobs (id, user_id, api_key_id, lane, priority, video_id, options, wake_at, quota_day, quota_month, created_at, updated_at)
VALUES ($1, $2, $3, $4, $4, $5, $6, $7, current_date, date_trunc('month', current_date)::date, $7, $7)`
const INSERT_ENTRY = `INSERT INTO quota_entries (job_id, kind, user_id, created_at) VALUES ($1, 'reserve', $2, $3)`

const FIND_RESULT = `
SELECT d.data FROM documents d JOIN jobs j ON j.id = d.job_id WHERE d.job_id = $1 AND j.user_id = $2`

/** PostgreSQL's code for a transaction that it has ended because of a deadlock. */
const DEADLOCK = '40P01'

/** Tries again after a deadlock, to which concurrent jobs of one account can lead. */
const accept: typeof tryToAccept = (...job) =>
  tryToAccept(...job).catch((error: { code?: string }) => {
    if (error.code === DEADLOCK) return accept(...job)
    throw error
  })

/** Quota, ledger, counter and job in one transaction; then the queue. */
async function tryToAccept(pool: pg.Pool, { user_id, id }: Caller, body: ReturnType<typeof SubmitVideo.parse>) {
  const job = { id: newId(), createdAt: new Date(), videoId: body.url?.slice(-11) ?? '' }
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await client.query(OPEN_QUOTA, [user_id])
    const { rows } = await client.query(USE_QUOTA, [user_id])
    if (rows.some(({ used }) => used > LIMIT)) throw new Error('The quota is exceeded.')
    const values = [job.id, user_id, id, body.priority, job.videoId, body.options, job.createdAt]
    await client.query(INSERT_JOB, values)
    await client.query(INSERT_ENTRY, [job.id, user_id, job.createdAt])
    await client.query('UPDATE users SET jobs_accepted = jobs_accepted + 1 WHERE id = $1', [user_id])
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  } finally {
    client.release()
  }
  return job
}

/** Reads the job every two seconds, and sends it when it has changed. */
async function followJob(pool: pg.Pool, jobId: string, response: Response): Promise<void> {
  const values = [jobId, callerOf(response).user_id]
  let sent = ''
  const look = async (): Promise<void> => {
    const { rows } = await pool.query<JobRow>(`SELECT ${JOB_COLUMNS} FROM jobs WHERE id = $1 AND user_id = $2`, values)
    const data = JSON.stringify(rows[0] && presentJob(rows[0]))
    if (data !== sent) response.write(`event: progress\ndata: ${data}\n\n`)
    sent = data
  }
  response.setHeader('Content-Type', 'text/event-stream')
  await look()
  const timers = [setInterval(look, POLL_MS), setInterval(() => response.write(':\n\n'), HEARTBEAT_MS)]
  response.once('close', () => timers.forEach(clearInterval))
}

/** What a careful engineer writes in a day, with the usual libraries: complete, but not tuned. */
function createApi({ databaseUrl, redisUrl, prefix }: BaselineSettings): Express {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: POOL })
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: null })
  const queue = new Queue('jobs', { connection: redis, prefix })
  const app = express()
  app.disable('x-powered-by')
  app.use(prepareRequests(pool, redis, prefix))
  app.post('/api/v1/videos/process', express.json(), async (request, response) => {
    const body = SubmitVideo.parse(request.body)
    const { id, videoId, createdAt } = await accept(pool, callerOf(response), body)
    await queue.add('process', {}, { jobId: id, removeOnComplete: true })
    response.status(202)
    succeed(response, {
      job_id: id,
      status: 'queued',
      video_id: videoId,
      video_url: body.url,
      priority: body.priority,
      status_url: `http://localhost/api/v1/videos/status/${id}`,
      result_url: `http://localhost/api/v1/videos/result/${id}`,
      created_at: createdAt.toISOString(),
    })
  })
  app.get('/api/v1/videos/status/:id', async (request, response) => {
    const { rows } = await pool.query<JobRow>(`SELECT ${JOB_COLUMNS} FROM jobs WHERE id = $1 AND user_id = $2`, [
      request.params.id,
      callerOf(response).user_id,
    ])
    if (rows[0]) succeed(response, presentJob(rows[0]))
    else response.status(404).json({ success: false })
  })
  app.get('/api/v1/videos/result/:id', async (request, response) => {
    const { rows } = await pool.query(FIND_RESULT, [request.params.id, callerOf(response).user_id])
    if (rows[0]) succeed(response, rows[0].data)
    else response.status(404).json({ success: false })
  })
  app.get('/api/v1/videos/events/:id', (request, response) => followJob(pool, request.params.id, response))
  app.get('/api/v1/videos/', async (_request, response) => {
    const { user_id } = callerOf(response)
    const list = `SELECT ${JOB_COLUMNS} FROM jobs WHERE user_id = $1 ORDER BY id DESC LIMIT ${PAGE}`
    const { rows } = await pool.query<JobRow>(list, [user_id])
    const total = await pool.query('SELECT jobs_accepted FROM users WHERE id = $1', [user_id])
    const pagination = { total: total.rows[0].jobs_accepted, limit: PAGE, offset: 0, has_more: true, next_offset: PAGE }
    succeed(response, { jobs: rows.map(presentJob), pagination })
  })
  return app
}

handleCalls({
  /** Starts the server and returns its origin. */
  async listen(settings: BaselineSettings) {
    const server = createApi(settings).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  },
})
