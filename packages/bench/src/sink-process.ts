import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { handleCalls } from './child-process.ts'

let received = 0
let awaited: { count: number; resolve: () => void } | undefined

async function listen(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(204).end()
      received++
      if (awaited && received >= awaited.count) awaited.resolve()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}

handleCalls({
  /** Starts receivers that acknowledge everything. Returns their URLs. */
  listen: (count: number): Promise<string[]> => Promise.all(Array.from({ length: count }, listen)),
  /** Resets the counter of received webhooks. */
  async reset(): Promise<void> {
    received = 0
  },
  /** Returns how many webhooks have been received since the last reset. */
  count: async (): Promise<number> => received,
  /** Resolves when this many webhooks have been received since the last reset. */
  waitForCount: (count: number): Promise<void> =>
    new Promise((resolve) => {
      awaited = { count, resolve }
      if (received >= count) resolve()
    }),
})
