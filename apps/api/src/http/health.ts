import { ServiceError } from '@subtext/contracts'
import { clientNetwork, type HealthReport } from '@subtext/runtime'
import type { Express, RequestHandler, Response } from 'express'
import type { ApiContext } from '../context.ts'
import { refuseOtherMethods } from './mount.ts'

/**
 * Mounts `/health/live`, which responds while the process runs, and `/health/ready`, which responds 200 while it can serve
 * and lists the unavailable services under `away`.
 */
export function mountHealth(
  app: Express,
  { health, http, clock }: Pick<ApiContext, 'health' | 'http' | 'clock'>,
): void {
  const send = (response: Response, { ok, body }: HealthReport): void => {
    response.status(ok ? 200 : 503).json(body)
  }
  app.use('/health', limitPerSecond(http.healthChecksPerSecond, clock))
  app.get('/health/live', (_request, response) => send(response, health.live()))
  app.get('/health/ready', async (_request, response) => send(response, await health.ready()))
  for (const path of ['/health/live', '/health/ready']) refuseOtherMethods(app, path, ['GET'])
}

/** Limits the requests of a client address in each second. Health checks need no key, so they count for no account. */
function limitPerSecond(limit: number, clock: () => Date): RequestHandler {
  let second = 0
  const counts = new Map<string, number>()
  return (request, _response, next) => {
    const now = Math.floor(clock().getTime() / 1_000)
    if (now !== second) {
      second = now
      counts.clear()
    }
    const network = clientNetwork(request.ip ?? '')
    const count = (counts.get(network) ?? 0) + 1
    counts.set(network, count)
    if (count > limit) throw new ServiceError('RATE_LIMITED', { retryAfterSeconds: 1 })
    next()
  }
}
