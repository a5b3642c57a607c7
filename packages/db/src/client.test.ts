import { isDatabaseUnavailable, openDb } from './client.ts'

const withCode = (code: string, message = 'failed'): Error => Object.assign(new Error(message), { code })

describe('isDatabaseUnavailable', () => {
  test.each([
    ['ECONNREFUSED', withCode('ECONNREFUSED')],
    ['ECONNRESET', withCode('ECONNRESET')],
    ['ETIMEDOUT', withCode('ETIMEDOUT')],
    ['connection failure', withCode('08006')],
    ['too many connections', withCode('53300')],
    ['disk full', withCode('53100')],
    ['admin shutdown', withCode('57P01')],
    ['starting up', withCode('57P03')],
    ['a connection cut without a code', new Error('Connection terminated unexpectedly')],
    ['no free connection in time', new Error('timeout exceeded when trying to connect')],
    ['a connection found cut', new Error('Client has encountered a connection error and is not queryable')],
    ['a statement without an answer', new Error('Query read timeout')],
    ['one of these as a cause', new Error('outer', { cause: withCode('57P01') })],
  ])('%s: it is away', (_, error) => {
    expect(isDatabaseUnavailable(error)).toBe(true)
  })

  test.each([
    ['a unique violation', withCode('23505')],
    ['a syntax error', withCode('42601')],
    ['a check violation', withCode('23514')],
    ['a deadlock', withCode('40P01')],
    ['an error of ours', new Error('Job has no result.')],
    ['a five-letter code that is none of SQL', withCode('EPERM')],
    ['no error', 'ECONNREFUSED'],
    ['nothing', undefined],
  ])('%s: it is there', (_, error) => {
    expect(isDatabaseUnavailable(error)).toBe(false)
  })

  test('what both ways into a server that is not there throw', async () => {
    const db = openDb({ url: 'postgresql://nobody@127.0.0.1:1/none' })
    const failures = await Promise.allSettled([
      db.query('SELECT 1'),
      db.transaction((sql) => sql.query('SELECT 1')),
      db.prisma.user.findFirst(),
    ])
    await db.close()
    expect(failures.map((failure) => failure.status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(failures.map((failure) => failure.status === 'rejected' && isDatabaseUnavailable(failure.reason))).toEqual([
      true,
      true,
      true,
    ])
  })
})
