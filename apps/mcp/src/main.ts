import { once } from 'node:events'
import {
  connectionsPerAddress,
  createHealth,
  createHttpServer,
  createLogger,
  createMetrics,
  runService,
  startTracing,
} from '@subtext/runtime'
import { createApp } from './app.ts'
import { createApiCheck } from './check-api.ts'
import { readEnv } from './env.ts'
import { createMcpMetrics } from './metrics.ts'

await runService(async () => {
  const env = readEnv()
  const log = createLogger('mcp', env.LOG_LEVEL)
  const draining = new AbortController()
  const checkApi = createApiCheck(env.SERVICE_API_BASE)
  const health = createHealth({ log, required: { api: checkApi }, draining: draining.signal })
  const registry = createMetrics()
  const metrics = createMcpMetrics(registry)
  metrics.process.observe(env.SUBTEXT_VERSION, health)
  const tracing = await startTracing(env, { app: 'mcp', log, count: metrics.process.countSpans })
  const metricsServer = await registry.serve(env, health)
  const app = createApp(env, { log, health, metrics, draining: draining.signal })
  const server = createHttpServer(app.handle, {
    perAddress: connectionsPerAddress(env),
    onRefused: metrics.countRefused,
  })
  await once(server.listen(env.MCP_PORT, env.HOST), 'listening')
  log.info('ready', { port: env.MCP_PORT })
  const graceMs = env.SHUTDOWN_GRACE_SECONDS * 1_000
  return {
    log,
    graceMs,
    async stop() {
      draining.abort()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeIdleConnections()
      const timer = setTimeout(() => void app.close().then(() => server.closeAllConnections()), graceMs)
      await closed
      clearTimeout(timer)
      await tracing.close()
      await metricsServer.close()
    },
  }
})
