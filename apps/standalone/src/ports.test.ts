import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { findFreePort } from '@subtext/embedded'
import type { Settings } from './env.ts'
import { assertMetricsPortsFree, assertPortFree, selectMcpPort } from './ports.ts'

const HOST = '127.0.0.1'

let taken: Server
let port: number
let said: string[]
const say = (text: string) => void said.push(text)
beforeEach(async () => {
  said = []
  taken = createServer()
  await once(taken.listen(0, HOST), 'listening')
  port = (taken.address() as AddressInfo).port
})
afterEach(() => taken.close())

test('names the setting of a port that is in use', async () => {
  await expect(assertPortFree('PORT', port, HOST)).rejects.toThrow(
    `Port ${port} is in use. Choose another one with PORT=...`,
  )
  await assertPortFree('PORT', await findFreePort(), HOST)
})

test('checks the metrics port of every app', async () => {
  await expect(assertMetricsPortsFree({ METRICS_PORT: String(port - 3) }, HOST)).rejects.toThrow(`METRICS_PORT=`)
  await assertMetricsPortsFree({}, HOST)
})

test('does without the MCP server if its port is in use, and says how to change that', async () => {
  expect(await selectMcpPort({ MCP_PORT: String(port) }, HOST, say)).toBeNull()
  expect(said).toEqual([
    `Port ${port} is in use, so the MCP server is not started. Choose another one with MCP_PORT=...`,
  ])
  expect(await selectMcpPort({ MCP_PORT: '0' }, HOST, say)).toBe(0)
})

test.each<Settings>([{ PORT: '3001' }, { PORT: '4510', METRICS_PORT: '3000' }])(
  'does without the MCP server if another app of the service takes its default port, as with %j',
  async (settings) => {
    expect(await selectMcpPort(settings, HOST, say)).toBeNull()
    expect(said).toEqual([
      'Port 3001 is in use, so the MCP server is not started. Choose another one with MCP_PORT=...',
    ])
  },
)
