import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loadEnv } from '@subtext/runtime'
import { createApiCheck } from './check-api.ts'
import { McpEnv } from './env.ts'

let server: Server
let paths: (string | undefined)[]
beforeEach(async () => {
  paths = []
  server = createServer(({ url }, response) => {
    paths.push(url)
    response.writeHead(url?.endsWith('/down/health/live') ? 503 : 200).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

function check(path: string): Promise<boolean> {
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
  return createApiCheck(loadEnv(McpEnv, { SERVICE_API_BASE: base }).SERVICE_API_BASE)()
}

test.each(['', '/', '//', '/api/v1', '/api/v1/', '/api/v1//'])(
  'asks the API whether it is alive if the base ends with "%s"',
  async (path) => {
    expect(await check(path)).toBe(true)
    expect(paths).toEqual(['/health/live'])
  },
)

test('keeps the path of an API that is not at the root', async () => {
  expect(await check('/subtext/api/v1')).toBe(true)
  expect(paths).toEqual(['/subtext/health/live'])
})

test('reports an API that is away', async () => {
  expect(await check('/down')).toBe(false)
})
