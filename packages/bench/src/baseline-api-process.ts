import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SubmitVideo } from '@subtext/contracts'
import { openDb } from '@subtext/db'
import { Queue } from 'bullmq'
import express, { type Express } from 'express'
import pg from 'pg'
import { handleCalls } from './child-process.ts'

interface BaselineApiSettings {
  databaseUrl: string
  redisUrl: string
  prefix: string
}

const POOL = 10

/** An API written in ten minutes: no keys, limits, logs or request ids, and no recovery from a lost queue. */
function createBaselineApi({ databaseUrl, redisUrl, prefix }: BaselineApiSettings): Express {
  const { prisma } = openDb({ url: databaseUrl, maxConnections: POOL })
  const pool = new pg.Pool({ connectionString: databaseUrl, max: POOL })
  const queue = new Queue('jobs', { connection: { url: redisUrl }, prefix })
  const app = express()
  // Ours disables both; neither side should gain an advantage from a header.
  app.disable('x-powered-by')
  app.disable('etag')

  app.post('/process', express.json(), async (request, response) => {
    const body = SubmitVideo.parse(request.body)
    const now = new Date()
    const job = await prisma.job.create({
      data: {
        id: randomUUID(),
        userId: randomUUID(),
        apiKeyId: null,
        lane: body.priority,
        priority: body.priority,
        videoId: body.url.slice(-11),
        options: body.options,
        clientReference: body.client_reference ?? null,
        wakeAt: now,
        quotaDay: now,
        quotaMonth: now,
        createdAt: now,
        updatedAt: now,
      },
    })
    await queue.add('process', { jobId: job.id }, { removeOnComplete: true })
    response
      .status(202)
      .json({ success: true, data: { job_id: job.id, status: job.status, created_at: job.createdAt } })
  })
  app.get('/texts/:id', async (request, response) => {
    const { rows } = await pool.query('SELECT body FROM texts WHERE id = $1', [request.params.id])
    response.type('text/plain').send(rows[0].body)
  })
  app.get('/jobs/:id', async (request, response) => {
    const { rows } = await pool.query('SELECT * FROM jobs WHERE id = $1', [request.params.id])
    response.json(rows[0])
  })
  return app
}

handleCalls({
  /** Starts the server and returns its origin. */
  async listen(settings: BaselineApiSettings) {
    const server = createBaselineApi(settings).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  },
})
