import { startOwnPostgres } from '@subtext/db/testing'
import { startTestSystem } from '@subtext/testbed'

test('runs until it is interrupted', async () => {
  const server = await startOwnPostgres()
  server.freeze()
  await startTestSystem({ workers: 0 })
  process.stderr.write('started\n')
  await new Promise(() => {})
})
