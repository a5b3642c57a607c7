import { startTestSystem } from '@subtext/server/testing'

test('runs until it is interrupted', async () => {
  await startTestSystem({ workers: 0 })
  process.stderr.write('started\n')
  await new Promise(() => {})
})
