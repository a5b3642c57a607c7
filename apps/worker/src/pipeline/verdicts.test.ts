import { ServiceError } from '@subtext/contracts'
import { createVerdicts } from './verdicts.ts'

const gone = new ServiceError('VIDEO_UNAVAILABLE')

test('a verdict is for those who asked before it', () => {
  let now = 100
  const verdicts = createVerdicts(() => now)
  verdicts.keep('a', gone)
  expect(verdicts.find('a', 99)).toBe(gone)
  expect(verdicts.find('a', 101)).toBeNull()
  expect(verdicts.find('b', 99)).toBeNull()
  now = 200
  verdicts.keep('a', new ServiceError('AGE_RESTRICTED'))
  expect(verdicts.find('a', 150)).toMatchObject({ code: 'AGE_RESTRICTED' })
})

test.each([new ServiceError('UPSTREAM_BLOCKED'), new ServiceError('UPSTREAM_UNAVAILABLE')])(
  '%s is an answer',
  (error) => {
    const verdicts = createVerdicts()
    verdicts.keep('a', error)
    expect(verdicts.find('a', 0)).toBe(error)
  },
)

test.each([new ServiceError('SERVICE_UNAVAILABLE'), new ServiceError('PROCESSING_TIMEOUT'), new Error('bug'), 'text'])(
  'no verdict: %s',
  (error) => {
    const verdicts = createVerdicts()
    verdicts.keep('a', error)
    expect(verdicts.find('a', 0)).toBeNull()
  },
)

test('the oldest go when there are too many', () => {
  const verdicts = createVerdicts()
  for (let n = 0; n < 1_200; n++) verdicts.keep(`video ${n}`, gone)
  expect(verdicts.find('video 0', 0)).toBeNull()
  expect(verdicts.find('video 1199', 0)).toBe(gone)
})
