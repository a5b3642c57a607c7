import { formatRelative } from './format.ts'
import { setServiceTime } from './service-clock.ts'

test('what has just happened is in the past, though a response tells the time only to the second', () => {
  const serviceNow = Date.parse('2031-05-01T10:00:00.900Z')
  setServiceTime(new Date(serviceNow).toUTCString())
  expect(formatRelative(new Date(serviceNow).toISOString())).not.toMatch(/^in /)
  setServiceTime(new Date().toUTCString())
})
