import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { findFreePort } from '@subtext/embedded'
import { startVideoPlatform, type VideoPlatform } from '@subtext/fakes'
import { findPlatformProblem } from './find-platform-problem.ts'

const PATIENT = { timeoutMs: 60_000, proxyUrls: [] }

let platform: VideoPlatform
/** The address of no server. */
let nowhere: string
beforeAll(async () => {
  nowhere = `http://127.0.0.1:${await findFreePort()}`
  platform = await startVideoPlatform()
})
afterAll(() => platform.close())

describe('findPlatformProblem', () => {
  test('finds no problem if the platform gives any reply to a single request without a session', async () => {
    expect(await findPlatformProblem({ ...PATIENT, origin: platform.origin })).toBeNull()
    expect(platform.requests.map(({ method, url, status }) => [method, url, status])).toEqual([
      ['GET', '/generate_204', 404],
    ])
  })

  test('says why the platform cannot be reached', async () => {
    expect(await findPlatformProblem({ ...PATIENT, origin: nowhere })).toBe('connection refused')
    expect(await findPlatformProblem({ ...PATIENT, origin: nowhere, proxyUrls: [nowhere] })).toBe('connection refused')
  })

  test('finds no problem if one of the proxies reaches the platform', async () => {
    const proxy = createHttpServer().on('connect', (_request, socket) => {
      const tunnel = connect(Number(new URL(platform.origin).port), '127.0.0.1')
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.pipe(tunnel).pipe(socket)
      for (const end of [socket, tunnel]) end.on('error', () => {})
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const { port } = proxy.address() as AddressInfo
    try {
      const proxyUrls = [nowhere, `http://127.0.0.1:${port}`]
      expect(await findPlatformProblem({ ...PATIENT, origin: nowhere, proxyUrls })).toBeNull()
    } finally {
      proxy.close()
    }
  })

  test('gives up on a platform that does not reply', async () => {
    const sockets: Socket[] = []
    const silent = createServer((socket) => sockets.push(socket))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    try {
      expect(await findPlatformProblem({ origin: `http://127.0.0.1:${port}`, proxyUrls: [], timeoutMs: 50 })).toBe(
        'no answer in time',
      )
    } finally {
      for (const socket of sockets) socket.destroy()
      silent.close()
    }
  })
})
