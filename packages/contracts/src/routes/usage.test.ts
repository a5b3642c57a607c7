import { dateOrTime } from './usage.ts'

test.each(['2026-11-01', '2026-11-01T00:00:00Z', '2026-11-01T00:00:00+02:00', '2026-11-01T00:00:00'])(
  'takes %s',
  (text) => {
    expect(dateOrTime.safeParse(text).success).toBe(true)
  },
)

test.each(['2026-11-01T00:00:00 02:00', '2026-11-01T00:00:00.5 02:00', '2026-11-01T00:00:00 0200'])(
  'says how to send the plus that %s has lost in a query',
  (text) => {
    expect(dateOrTime.safeParse(text).error?.issues.map(({ message }) => message)).toEqual([
      expect.stringContaining('`%2B02:00`'),
    ])
  },
)

test.each(['yesterday', '2026-11-01 02:00', ''])('says what %j should be', (text) => {
  expect(dateOrTime.safeParse(text).error?.issues[0]?.message).toMatch(/^Must be an ISO 8601 date, or/)
})
