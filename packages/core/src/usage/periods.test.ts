import type { Granularity } from '@subtext/contracts'
import { type PeriodQuery, selectPeriods } from './periods.ts'

/** A Saturday; its ISO week began on Monday the 16th. */
const NOW = new Date('2026-11-21T12:34:56.789Z')

function select(granularity: Granularity, overrides: Partial<PeriodQuery> = {}) {
  const query = { start: null, end: null, limit: 3, offset: 0, granularity, ...overrides }
  const { periods, start, end } = selectPeriods(query, NOW)
  return {
    periods: periods.map((period) => `${short(period.start)} - ${short(period.end)}`),
    windows: periods.map((period) => short(period.windowStart)),
    range: [start && short(start), short(end)],
  }
}
const short = (date: Date): string => date.toISOString().replace(':00.000Z', '').replace('T00:00', '')
const at = (text: string): Date => new Date(text)

test.each<[Granularity, string[]]>([
  ['hourly', ['2026-11-21T12:00', '2026-11-21T11:00', '2026-11-21T10:00']],
  ['daily', ['2026-11-21', '2026-11-20', '2026-11-19']],
  ['weekly', ['2026-11-16', '2026-11-09', '2026-11-02']],
  ['monthly', ['2026-11-01', '2026-10-01', '2026-09-01']],
])('the newest %s window is the current one', (granularity, windows) => {
  expect(select(granularity).windows).toEqual(windows)
})

test('windows have no gaps, and an offset continues where the previous page ended', () => {
  for (const granularity of ['hourly', 'daily', 'weekly', 'monthly'] as const) {
    const all = select(granularity, { limit: 100 }).periods
    expect(all).toHaveLength(100)
    for (const [index, period] of all.slice(1).entries()) {
      expect(period.split(' - ')[1]).toBe(all[index]?.split(' - ')[0])
    }
    expect(select(granularity, { limit: 10, offset: 90 }).periods).toEqual(all.slice(90))
  }
})

test('the first and the last window are cut at the ends of the range', () => {
  const range = { start: at('2026-09-10T00:00:00Z'), end: at('2026-11-05T00:00:00Z'), limit: 9 }
  expect(select('monthly', range).periods).toEqual([
    '2026-11-01 - 2026-11-05',
    '2026-10-01 - 2026-11-01',
    '2026-09-10 - 2026-10-01',
  ])
  expect(select('weekly', range).periods.at(-1)).toBe('2026-09-10 - 2026-09-14')
  expect(select('weekly', range).periods[0]).toBe('2026-11-02 - 2026-11-05')
  expect(select('weekly', range).windows[0]).toBe('2026-11-02')
})

test('a range is rounded outwards to the resolution of usage', () => {
  const range = { start: at('2026-11-20T22:10:00+01:00'), end: at('2026-11-20T22:50:00Z') }
  expect(select('hourly', range).range).toEqual(['2026-11-20T21:00', '2026-11-20T23:00'])
  expect(select('hourly', range).periods).toEqual([
    '2026-11-20T22:00 - 2026-11-20T23:00',
    '2026-11-20T21:00 - 2026-11-20T22:00',
  ])
  expect(select('daily', range).periods).toEqual(['2026-11-20 - 2026-11-21'])
})

test('leaves out windows that have not begun, and includes the current one as a whole', () => {
  const end = at('9999-12-31T23:59:59Z')
  expect(select('monthly', { end, limit: 1 }).periods).toEqual(['2026-11-01 - 2026-12-01'])
  expect(select('daily', { start: at('2026-11-22T00:00:00Z'), end }).periods).toEqual([])
  expect(select('daily', { start: at('2026-11-21T00:00:00Z') }).periods).toEqual(['2026-11-21 - 2026-11-22'])
})

test('an empty range has no periods, and no range begins before 1970', () => {
  const noon = at('2026-11-20T12:00:00Z')
  expect(select('hourly', { start: noon, end: noon }).periods).toEqual([])
  const old = select('monthly', { start: at('0000-01-01T00:00:00Z'), limit: 366, offset: 600 })
  expect(old.periods.at(-1)).toBe('1970-01-01 - 1970-02-01')
  expect(select('weekly', { offset: 100_000 }).periods).toEqual([])
  expect(select('daily', { end: at('1969-12-31T00:00:00Z') }).periods).toEqual([])
})

test('handles leap days and the turn of the year', () => {
  expect(select('daily', { end: at('2024-03-01T00:00:00Z') }).windows).toEqual([
    '2024-02-29',
    '2024-02-28',
    '2024-02-27',
  ])
  expect(select('weekly', { end: at('2025-01-05T00:00:00Z') }).windows).toEqual([
    '2024-12-30',
    '2024-12-23',
    '2024-12-16',
  ])
  expect(select('monthly', { end: at('2025-02-01T00:00:00Z') }).windows).toEqual([
    '2025-01-01',
    '2024-12-01',
    '2024-11-01',
  ])
})
