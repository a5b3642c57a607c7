// Runs as a separate process: node redis-javascript.mjs <port> <file with the password>
import { readFileSync } from 'node:fs'
import { createRedisCommandExecutor, RedisServerState, Resp2Server } from 'js-redis-server/core'

const [port, passwordFile] = process.argv.slice(2)
const state = new RedisServerState({ databaseCount: 16, requirepass: readFileSync(passwordFile, 'utf8').trim() })
const { server } = new Resp2Server({
  server: state,
  executor: createRedisCommandExecutor(),
  logger: { error: (message) => process.stderr.write(`${message}\n`) },
})
// The package's own `listen` and command would open the port on every address of the machine, without a password.
server
  .once('listening', () => server.off('error', fail))
  .once('error', fail)
  .listen(Number(port), '127.0.0.1')
// All data is in memory: there is nothing to save, and connected clients must not delay the exit.
process.once('SIGTERM', () => process.exit(0))

function fail() {
  process.exit(1)
}
