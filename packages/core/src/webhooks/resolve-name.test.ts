import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { cacheNameLookups, createNameResolver } from './resolve-name.ts'

const HEADER_BYTES = 12
const TYPE_A = 1
const NO_SUCH_NAME = 0x81_83
const ANSWERED = 0x81_80

let server: Socket | undefined
afterEach(() => {
  server?.close()
  server = undefined
})

/** Starts a name server (RFC 1035, section 4) that gives every name this address, or none (null), or never answers. */
async function startNameServer(address: string | null | 'silence'): Promise<string[]> {
  const socket = createSocket('udp4', (query, { port }) => {
    if (address === 'silence') return
    const questionEnd = query.indexOf(0, HEADER_BYTES) + 5
    const answers = address && query.readUInt16BE(questionEnd - 4) === TYPE_A ? 1 : 0
    const reply = Buffer.from(query.subarray(0, questionEnd))
    reply.writeUInt16BE(address ? ANSWERED : NO_SUCH_NAME, 2)
    for (const [index, count] of [1, answers, 0, 0].entries()) reply.writeUInt16BE(count, 4 + 2 * index)
    const resourceHead = [0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 60, 0, 4]
    const record = Buffer.from([...resourceHead, ...(address ?? '').split('.').map(Number)])
    socket.send(answers ? Buffer.concat([reply, record]) : reply, port, '127.0.0.1')
  })
  server = socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return [`127.0.0.1:${socket.address().port}`]
}

describe('createNameResolver', () => {
  test('queries the name servers', async () => {
    const resolve = createNameResolver({ servers: await startNameServer('93.184.215.14') })
    expect(await resolve('hook.example.org')).toEqual(['93.184.215.14'])
  })

  test('looks up names that the name servers do not know in the files of the system', async () => {
    const resolve = createNameResolver({ servers: await startNameServer(null) })
    expect(await resolve('localhost')).toContain('127.0.0.1')
    await expect(resolve('nobody.invalid')).rejects.toThrow('nobody.invalid')
  })

  test('gives up on a name server that never answers, without asking the system', async () => {
    const resolve = createNameResolver({ servers: await startNameServer('silence'), timeoutMs: 50 })
    await expect(resolve('hook.example.org')).rejects.toMatchObject({ code: 'ETIMEOUT' })
  })
})

describe('cacheNameLookups', () => {
  test('looks up a name once for concurrent and later callers, even if the lookup fails', async () => {
    let calls = 0
    const resolve = cacheNameLookups(async (name) => {
      calls++
      if (name === 'nobody.example') throw new Error('ENOTFOUND')
      return ['93.184.215.14']
    })
    await Promise.all([resolve('hook.example'), resolve('hook.example')])
    expect(await resolve('hook.example')).toEqual(['93.184.215.14'])
    await expect(resolve('nobody.example')).rejects.toThrow('ENOTFOUND')
    await expect(resolve('nobody.example')).rejects.toThrow('ENOTFOUND')
    expect(calls).toBe(2)
  })
})
