import { checkServers } from '@subtext/core/servers'
import { createLogger, createMetrics, runService, startTracing } from '@subtext/runtime'
import { startDeliverer } from './deliverer.ts'
import { readEnv } from './env.ts'
import { createWebhooksMetrics } from './metrics.ts'

await runService(async () => {
  const env = readEnv()
  const log = createLogger('webhooks', env.LOG_LEVEL)
  const registry = createMetrics()
  const metrics = createWebhooksMetrics(registry)
  const tracing = await startTracing(env, { app: 'webhooks', log, count: metrics.process.countSpans })
  const deliverer = startDeliverer(env, { metrics })
  const metricsServer = await registry.serve(env, deliverer.health)
  log.info('ready', { concurrency: env.WEBHOOK_CONCURRENCY })
  return {
    log,
    usable: checkServers(env, log),
    graceMs: env.SHUTDOWN_GRACE_SECONDS * 1_000,
    async stop() {
      await deliverer.stop()
      await tracing.close()
      await metricsServer.close()
    },
  }
})
