import dns from 'node:dns'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { jest } from '@jest/globals'
import { isDatabaseUnavailable } from './client.ts'
import { openPrismaDb } from './prisma.ts'

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
    ['ENETUNREACH', withCode('ENETUNREACH')],
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

  /** Calls the database in each way, and returns how each call fails. */
  async function failEachWay(url: string): Promise<unknown[]> {
    const db = openPrismaDb({ url })
    const calls = await Promise.allSettled([
      db.query('SELECT 1'),
      db.transaction((sql) => sql.query('SELECT 1')),
      db.prisma.user.findFirst(),
      db.prisma.$transaction((prisma) => prisma.user.findFirst()),
    ])
    await db.close()
    return calls.map((call) => (call.status === 'rejected' ? call.reason : 'succeeded'))
  }

  test('recognizes the errors of SQL and Prisma when the server is unreachable', async () => {
    const failures = await failEachWay('postgresql://nobody@127.0.0.1:1/none')
    expect(failures.map(isDatabaseUnavailable)).toEqual([true, true, true, true])
  })

  test('recognizes the errors of SQL and Prisma when names cannot be resolved for a moment', async () => {
    const fail = (_name: string, _options: unknown, callback: (error: Error) => void) =>
      callback(withCode('EAI_AGAIN', 'getaddrinfo EAI_AGAIN db.internal'))
    const lookup = jest.spyOn(dns, 'lookup').mockImplementation(fail as typeof dns.lookup)
    const failures = await failEachWay('postgresql://nobody@db.internal/none')
    lookup.mockRestore()
    expect(failures.map(isDatabaseUnavailable)).toEqual([true, true, true, true])
    expect(failures.map(String)).toEqual(Array(4).fill(expect.stringContaining('getaddrinfo EAI_AGAIN db.internal')))
  })

  test('recognizes the errors of SQL and Prisma when the password is refused, and names the reason', async () => {
    const refusing = await refusePasswords()
    const failures = await failEachWay(refusing.url)
    refusing.close()
    expect(failures.map(isDatabaseUnavailable)).toEqual([true, true, true, true])
    expect(failures.map(String)).toEqual(Array(4).fill(expect.stringContaining('password authentication failed')))
  })
})

/** A server that answers each connection as PostgreSQL does when the password is wrong. */
async function refusePasswords(): Promise<{ url: string; close: () => void }> {
  const fields = 'SFATAL\0VFATAL\0C28P01\0Mpassword authentication failed for user "nobody"\0\0'
  const response = Buffer.alloc(5 + fields.length)
  response.write('E')
  response.writeInt32BE(4 + fields.length, 1)
  response.write(fields, 5)
  const server = createServer((socket) => socket.once('data', () => socket.end(response)).on('error', () => {}))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `postgresql://nobody:wrong@127.0.0.1:${port}/none`, close: () => server.close() }
}
