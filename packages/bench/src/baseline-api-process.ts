import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SubmitVideo } from '@subtext/contracts'
import { openDb } from '@subtext/db'
import { Queue } from 'bullmq'
import express, { type Express } from 'express'
import pg from 'pg'
import { answerQuestions } from './child-process.ts'

interface BareApiSettings {
  databaseUrl: string
  redisUrl: string
  prefix: string
}

const POOL = 10

/** What one writes in ten minutes: no keys, no limits, no log, no request ids, nothing that survives a lost queue. */
function createBareApi({ databaseUrl, redisUrl, prefix }: BareApiSettings): Express {
  const { prisma } = openDb({ url: databaseUrl, maxConnections: POOL })
  const pool = new pg.Pool({ connectionString: databaseUrl, max: POOL })
  const queue = new Queue('jobs', { connection: { url: redisUrl }, prefix })
  const app = express()
  // As ours has them off: neither side shall win by a header.
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

answerQuestions({
  /** Returns the origin. */
  async listen(settings: BareApiSettings) {
    const server = createBareApi(settings).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  },
})
