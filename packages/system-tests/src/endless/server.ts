import { startOwnPostgres } from '@subtext/db/testing'

test('runs until it is interrupted', async () => {
  const server = await startOwnPostgres()
  server.freeze()
  process.stderr.write('started\n')
  await new Promise(() => {})
})
