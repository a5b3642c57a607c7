import { checkServers } from '@subtext/core/servers'
import { createLogger, createMetrics, runService, startTracing } from '@subtext/runtime'
import { readEnv, readFormerNames } from './env.ts'
import { createWorkerMetrics } from './metrics.ts'
import { startWorker } from './worker.ts'

await runService(async () => {
  const env = readEnv()
  const log = createLogger('worker', env.LOG_LEVEL)
  for (const renamed of readFormerNames()) log.warn('setting renamed', renamed)
  const registry = createMetrics()
  const metrics = createWorkerMetrics(registry)
  const tracing = await startTracing(env, { app: 'worker', log, count: metrics.process.countSpans })
  const worker = startWorker(env, { metrics })
  const metricsServer = await registry.serve(env, worker.health)
  log.info('ready', { concurrency: env.WORKER_CONCURRENCY, lanes: env.WORKER_LANES })
  return {
    log,
    usable: checkServers(env, log),
    graceMs: env.SHUTDOWN_GRACE_SECONDS * 1_000,
    async stop() {
      await worker.stop()
      await tracing.close()
      await metricsServer.close()
    },
  }
})
