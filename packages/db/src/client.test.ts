import { isDatabaseUnavailable, openDb } from './client.ts'

const withCode = (code: string, message = 'failed'): Error => Object.assign(new Error(message), { code })
const prismaError = (originalCode: string): Error => {
  const driverAdapterError = new Error('DriverAdapterError', { cause: { kind: 'postgres', originalCode } })
  return Object.assign(withCode('P2039'), { meta: { driverAdapterError } })
}

describe('isDatabaseUnavailable', () => {
  test.each([
    ['ECONNREFUSED', withCode('ECONNREFUSED')],
    ['ECONNRESET', withCode('ECONNRESET')],
    ['ETIMEDOUT', withCode('ETIMEDOUT')],
    ['connection failure', withCode('08006')],
    ['too many connections', withCode('53300')],
    ['disk full', withCode('53100')],
    ['a read-only database', withCode('25006')],
    ['an input or output error of the server', withCode('58030')],
    ['admin shutdown', withCode('57P01')],
    ['starting up', withCode('57P03')],
    ['a lost connection without a code', new Error('Connection terminated unexpectedly')],
    ['no free connection within the timeout', new Error('timeout exceeded when trying to connect')],
    ['a connection found to be lost', new Error('Client has encountered a connection error and is not queryable')],
    ['a statement without a response', new Error('Query read timeout')],
    ['an error that Prisma reports', withCode('P2024')],
    ['an error of the driver in one of Prisma', prismaError('25006')],
    ['one of these as a cause', new Error('outer', { cause: withCode('57P01') })],
  ])('treats %s as an unavailable database', (_, error) => {
    expect(isDatabaseUnavailable(error)).toBe(true)
  })

  test.each([
    ['a unique violation', withCode('23505')],
    ['a syntax error', withCode('42601')],
    ['a check violation', withCode('23514')],
    ['a unique violation in an error of Prisma', prismaError('23505')],
    ['a deadlock', withCode('40P01')],
    ['a serialization failure', withCode('40001')],
    ['a transaction that has failed', withCode('25P02')],
    ['an error of the application', new Error('Job has no result.')],
    ['a code of five letters that is not an SQL state', withCode('EPERM')],
    ['no error', 'ECONNREFUSED'],
    ['nothing', undefined],
  ])('does not treat %s as an unavailable database', (_, error) => {
    expect(isDatabaseUnavailable(error)).toBe(false)
  })

  test('recognizes the errors of SQL and Prisma when the server is unreachable', async () => {
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
