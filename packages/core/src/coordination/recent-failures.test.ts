import { ServiceError } from '@subtext/contracts'
import { createRecentFailures } from './recent-failures.ts'

const gone = new ServiceError('VIDEO_UNAVAILABLE')

test('a failure is returned only to jobs that asked before it', () => {
  let now = 100
  const failures = createRecentFailures(() => now)
  failures.remember('a', gone)
  expect(failures.find('a', 99)).toBe(gone)
  expect(failures.find('a', 101)).toBeNull()
  expect(failures.find('b', 99)).toBeNull()
  now = 200
  failures.remember('a', new ServiceError('AGE_RESTRICTED'))
  expect(failures.find('a', 150)).toMatchObject({ code: 'AGE_RESTRICTED' })
})

test.each([new ServiceError('UPSTREAM_BLOCKED'), new ServiceError('UPSTREAM_UNAVAILABLE')])(
  'remembers the answer %s',
  (error) => {
    const failures = createRecentFailures()
    failures.remember('a', error)
    expect(failures.find('a', 0)).toBe(error)
  },
)

test.each([new ServiceError('SERVICE_UNAVAILABLE'), new ServiceError('PROCESSING_TIMEOUT'), new Error('bug'), 'text'])(
  'does not remember %s, which is not an answer of the platform',
  (error) => {
    const failures = createRecentFailures()
    failures.remember('a', error)
    expect(failures.find('a', 0)).toBeNull()
  },
)

test('forgets the oldest failures when there are too many', () => {
  const failures = createRecentFailures()
  for (let n = 0; n < 1_200; n++) failures.remember(`video ${n}`, gone)
  expect(failures.find('video 0', 0)).toBeNull()
  expect(failures.find('video 1199', 0)).toBe(gone)
})
