import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { v7 as newId } from 'uuid'
import type { BaselineSettings } from './api-setup.ts'
import { handleCalls } from './child-process.ts'
import { JOB_COLUMNS, type JobRow, presentJob } from './present-job.ts'

const POOL = 10
const STATUS = '/api/v1/videos/status/'
const TEXTS = '/texts/'
const EVENTS = '/api/v1/videos/events/'
const HEARTBEAT_MS = 15_000

interface Caller {
  user_id: string
  id: string
}

const INSERT_JOB = `
WITH used AS (
  UPDATE quota_usage SET used = used + 1 WHERE user_id = $2 AND period = 'day' AND starts_on = current_date
)
INSERT INTO jobs (id, user_id, api_key_id, lane, priority, video_id, options, wake_at, created_at, updated_at)
VALUES ($1, $2, $3, 'normal', 'normal', $4, $5, $6, $6, $6)`

function send(response: ServerResponse, status: number, body: Buffer): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length })
  response.end(body)
}

const sendJson = (response: ServerResponse, status: number, data: unknown): void =>
  send(response, status, Buffer.from(JSON.stringify({ success: true, data })))

/** Sends nothing but heartbeats. */
function holdStream(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('retry: 2000\n\n')
  const heartbeat = setInterval(() => response.write(':\n\n'), HEARTBEAT_MS)
  response.once('close', () => clearInterval(heartbeat))
}

/** The minimum of work: no framework, checks or log; one named statement per request, and one commit for a job. */
function createHandler({ databaseUrl }: BaselineSettings) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: POOL })
  const callers = new Map<string, Caller>()
  const findCaller = async (authorization: string): Promise<Caller> => {
    const hash = createHash('sha256').update(authorization.slice('Bearer '.length)).digest()
    const name = hash.toString('base64')
    const known = callers.get(name)
    if (known) return known
    const { rows } = await pool.query<Caller>('SELECT user_id, id FROM api_keys WHERE hash = $1', [hash])
    if (!rows[0]) throw new Error('There is no such key.')
    callers.set(name, rows[0])
    return rows[0]
  }
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? ''
    if (path.startsWith(EVENTS)) return holdStream(response)
    if (path.startsWith(TEXTS)) {
      const values = [decodeURIComponent(path.slice(TEXTS.length))]
      const text = `SELECT convert_to(body, 'UTF8') AS body FROM texts WHERE id = $1`
      const { rows } = await pool.query({ name: 'text', text, values })
      return send(response, 200, rows[0].body)
    }
    const { user_id, id } = await findCaller(request.headers.authorization ?? '')
    if (request.method === 'POST') {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const body = JSON.parse(Buffer.concat(chunks).toString())
      const job = { id: newId(), createdAt: new Date() }
      const values = [job.id, user_id, id, body.url.slice(-11), JSON.stringify(body.options), job.createdAt]
      await pool.query({ name: 'insert', text: INSERT_JOB, values })
      return sendJson(response, 202, { job_id: job.id, status: 'queued', created_at: job.createdAt.toISOString() })
    }
    if (path.startsWith(STATUS)) {
      const text = `SELECT ${JOB_COLUMNS} FROM jobs WHERE id = $1 AND user_id = $2`
      const { rows } = await pool.query<JobRow>({ name: 'status', text, values: [path.slice(STATUS.length), user_id] })
      return sendJson(response, 200, rows[0] && presentJob(rows[0]))
    }
    const text = `SELECT ${JOB_COLUMNS} FROM jobs WHERE user_id = $1 ORDER BY id DESC LIMIT 20`
    const { rows } = await pool.query<JobRow>({ name: 'list', text, values: [user_id] })
    sendJson(response, 200, { jobs: rows.map(presentJob) })
  }
}

handleCalls({
  /** Starts the server and returns its origin. */
  async listen(settings: BaselineSettings) {
    const handle = createHandler(settings)
    const server = createServer((request, response) => {
      handle(request, response).catch((error: Error) => send(response, 500, Buffer.from(error.message)))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  },
})
