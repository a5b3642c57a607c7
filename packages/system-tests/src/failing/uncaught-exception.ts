import { setTimeout as sleep } from 'node:timers/promises'

test('finds a clean process', () => {
  expect(process.env.LEFT_BEHIND).toBeUndefined()
  expect(process.cwd()).not.toBe('/')
})

test('throws where nothing catches', async () => {
  process.env.LEFT_BEHIND = 'by an exception'
  process.chdir('/')
  setTimeout(() => {
    throw new Error('thrown in a timer')
  })
  await sleep(10)
})
