import type { HealthReport } from '@subtext/runtime'
import type { Express, Response } from 'express'
import type { ApiContext } from '../context.ts'

/**
 * Mounts `/health/live`, which responds while the process runs, and `/health/ready`, which responds 200 while it can serve
 * and lists the unavailable services under `away`.
 */
export function mountHealth(app: Express, { health }: Pick<ApiContext, 'health'>): void {
  const send = (response: Response, { ok, body }: HealthReport): void => {
    response.status(ok ? 200 : 503).json(body)
  }
  app.get('/health/live', (_request, response) => send(response, health.live()))
  app.get('/health/ready', async (_request, response) => send(response, await health.ready()))
}
