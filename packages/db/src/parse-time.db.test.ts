import pg from 'pg'
import { parseTime } from './parse-time.ts'
import { useTestDatabase } from './testing/use-test-database.ts'

const { db } = useTestDatabase()
const parseWithDriver: (text: string) => unknown = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)

test('parses what PostgreSQL writes as the driver does', async () => {
  const [first, last] = [Date.parse('1000-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59Z')]
  const texts = Array.from({ length: 500 }, (_, nth) => {
    const time = new Date(first + Math.floor(((last - first) * nth) / 499))
    return time.toISOString().replace('Z', `${String((nth * 7) % 1_000).padStart(3, '0')}Z`)
  })
  const { rows } = await db.query<{ text: string; time: Date }>(
    'SELECT time::text AS text, time FROM unnest($1::timestamptz[]) AS time',
    [[...texts, '2026-01-01T00:00:00Z', '2026-02-28T23:59:59.1Z', '2028-02-29T01:02:03.02Z']],
  )
  expect(rows.length).toBe(texts.length + 3)
  for (const { text, time } of rows) {
    expect([text, parseTime(text)]).toEqual([text, parseWithDriver(text)])
    expect(time).toEqual(parseTime(text))
  }
})

test.each([
  'infinity',
  '-infinity',
  '0044-03-15 00:00:00+00 BC',
  '10000-01-01 00:00:00+00',
  '2026-01-01 00:00:00+05:30',
  '',
])('leaves %s to the driver', (text) => expect(parseTime(text)).toBeNull())
