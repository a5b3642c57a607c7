import type { Express } from 'express'
import type { ApiContext } from '../context.ts'

const CHECK_TIMEOUT_MS = 1_500

/**
 * Mounts `/health/live`, which responds while the process runs, and `/health/ready`, which responds 200 while it can serve
 * and lists the unavailable services under `away`. The API is ready without Redis: jobs wait in PostgreSQL.
 */
export function mountHealth(app: Express, ctx: ApiContext): void {
  app.get('/health/live', (_request, response) => {
    response.json({ status: 'ok' })
  })
  app.get('/health/ready', async (_request, response) => {
    const postgres = await isPostgresUp(ctx)
    const redis = ctx.http.isRedisUp()
    const serving = postgres && !ctx.draining.aborted
    response.status(serving ? 200 : 503).json({
      status: ctx.draining.aborted ? 'draining' : !postgres ? 'unavailable' : redis ? 'ready' : 'degraded',
      away: [...(postgres ? [] : ['postgres']), ...(redis ? [] : ['redis'])],
    })
  })
}

async function isPostgresUp(ctx: ApiContext): Promise<boolean> {
  const timeout = new Promise<false>((resolve) => setTimeout(resolve, CHECK_TIMEOUT_MS, false).unref())
  return Promise.race([
    ctx.db.query('SELECT 1').then(
      () => true,
      () => false,
    ),
    timeout,
  ])
}
