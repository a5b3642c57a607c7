import { warnOfUnreachableServers } from '@subtext/core/servers'
import { createLogger, createMetrics, runService } from '@subtext/runtime'
import { startDeliverer } from './deliverer.ts'
import { readEnv } from './env.ts'

await runService(async () => {
  const env = readEnv()
  const log = createLogger('webhooks', env.LOG_LEVEL)
  const metrics = createMetrics()
  const deliverer = startDeliverer(env, { metrics })
  const metricsServer = await metrics.serve(env, deliverer.health)
  log.info('ready', { concurrency: env.WEBHOOK_CONCURRENCY })
  void warnOfUnreachableServers(env, log)
  return {
    log,
    graceMs: env.SHUTDOWN_GRACE_SECONDS * 1_000,
    async stop() {
      await deliverer.stop()
      await metricsServer.close()
    },
  }
})
