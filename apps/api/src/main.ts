import { warnOfUnreachableServers } from '@subtext/core/servers'
import {
  connectionsPerAddress,
  countRefusedConnections,
  createLogger,
  createMetrics,
  runService,
} from '@subtext/runtime'
import { createApp } from './app.ts'
import { createContext } from './context.ts'
import { readEnv } from './env.ts'
import { createApiMetrics } from './http/metrics.ts'
import { refuseUnreadable } from './http/unreadable-requests.ts'
import { listen } from './server.ts'

await runService(async () => {
  const env = readEnv()
  const log = createLogger('api', env.LOG_LEVEL)
  const metrics = createMetrics()
  const { context, drain, close } = createContext(env, { metrics: createApiMetrics(metrics) })
  const server = await listen(createApp(context), env.PORT, env.HOST, {
    renderRefusal: refuseUnreadable(context),
    perAddress: connectionsPerAddress(env),
    onRefused: countRefusedConnections(metrics),
  })
  metrics.gauge('subtext_http_connections', 'Open connections of clients.', [], async () => [
    [{}, await server.countConnections()],
  ])
  // The health checks there speak for the port of the API, too.
  const metricsServer = await metrics.serve(env, context.health)
  log.info('ready', { port: server.port })
  void warnOfUnreachableServers(env, log)
  const graceMs = env.SHUTDOWN_GRACE_SECONDS * 1_000
  return {
    log,
    graceMs,
    async stop() {
      drain()
      await server.drain(graceMs)
      await close()
      await metricsServer.close()
    },
  }
})
