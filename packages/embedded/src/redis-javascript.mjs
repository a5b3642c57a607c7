// Run as a process of its own: node redis-javascript.mjs <port> <file with the password>
import { readFileSync } from 'node:fs'
import { createRedisCommandExecutor, RedisServerState, Resp2Server } from 'js-redis-server/core'

const [port, passwordFile] = process.argv.slice(2)
const state = new RedisServerState({ databaseCount: 16, requirepass: readFileSync(passwordFile, 'utf8').trim() })
const { server } = new Resp2Server({
  server: state,
  executor: createRedisCommandExecutor(),
  logger: { error: (message) => process.stderr.write(`${message}\n`) },
})
// Not by the package's own `listen` and command: they open the port on every address of the machine, without password.
server
  .once('listening', () => server.off('error', fail))
  .once('error', fail)
  .listen(Number(port), '127.0.0.1')
// All is in memory: there is nothing to save, and clients that stay connected must not hold up the end.
process.once('SIGTERM', () => process.exit(0))

function fail() {
  process.exit(1)
}
