import { setTimeout as sleep } from 'node:timers/promises'

test('finds a clean process', () => {
  expect(process.env.LEFT_BEHIND).toBeUndefined()
  expect(process.cwd()).not.toBe('/')
})

test('leaves a rejection unhandled', async () => {
  process.env.LEFT_BEHIND = 'by a rejection'
  process.chdir('/')
  void Promise.reject(new Error('rejected and forgotten'))
  await sleep(10)
})
