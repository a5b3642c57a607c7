import { checkServers } from '@subtext/core/servers'
import {
  connectionsPerAddress,
  createLogger,
  createMetrics,
  describeOpenHost,
  runService,
  startTracing,
} from '@subtext/runtime'
import { createApp } from './app.ts'
import { createContext } from './context.ts'
import { reportMailProblem } from './emails.ts'
import { readEnv } from './env.ts'
import { announceFirstOwner } from './first-owner.ts'
import { refuseUnreadable } from './http/unreadable-requests.ts'
import { createApiMetrics } from './metrics.ts'
import { listen } from './server.ts'

await runService(async () => {
  const env = readEnv()
  const log = createLogger('api', env.LOG_LEVEL)
  const registry = createMetrics()
  const metrics = createApiMetrics(registry)
  const tracing = await startTracing(env, { app: 'api', log, count: metrics.process.countSpans })
  const { context, sendEmails, drain, close } = createContext(env, { metrics })
  const server = await listen(createApp(context), env.PORT, env.HOST, {
    renderRefusal: refuseUnreadable(context),
    perAddress: connectionsPerAddress(env),
    onRefused: metrics.countRefused,
  })
  metrics.observeConnections(server.countConnections)
  // The health checks there also cover the port of the API.
  const metricsServer = await registry.serve(env, context.health)
  log.info('ready', { port: server.port })
  const advice = describeOpenHost(env)
  if (advice) log.warn(advice)
  sendEmails()
  // `npm start`, which waits for this process, says it itself.
  if (context.signIn && !process.connected) void announceFirstOwner(context)
  if (context.signIn) void reportMailProblem(env, log)
  const graceMs = env.SHUTDOWN_GRACE_SECONDS * 1_000
  return {
    log,
    usable: checkServers(env, log),
    graceMs,
    async stop() {
      drain()
      await Promise.all([server.drain(graceMs), context.answers.close(graceMs)])
      await close()
      await tracing.close()
      await metricsServer.close()
    },
  }
})
