import { readableMessage } from './errors.ts'

const details = { reset_at: '2026-01-15T00:00:00.000Z', prefix: 'sk_1f3a9c', limit: 30, issues: [] }

test.each([
  ['It resets at `details.reset_at`.', 'It resets at 2026-01-15T00:00:00.000Z.'],
  ['It has created the key `details.prefix`, once.', 'It has created the key `sk_1f3a9c`, once.'],
  ['At most `details.limit` of `url`.', 'At most 30 of `url`.'],
  // A list is for programs.
  ['See `details.issues`.', 'See `details.issues`.'],
  ['See `details.toString`.', 'See `details.toString`.'],
])('reads %j as %j', (message, text) => {
  expect(readableMessage({ message, details })).toBe(text)
})

test('writes times as the reader wants them, and leaves a message without details as it is', () => {
  const message = 'It resets at `details.reset_at`.'
  expect(readableMessage({ message, details }, (iso) => iso.slice(0, 10))).toBe('It resets at 2026-01-15.')
  expect(readableMessage({ message, details: undefined })).toBe(message)
})
