import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { HealthReport } from './health.ts'
import { createHttpServer } from './http-server.ts'

export interface MetricsServer {
  port: number | undefined
  close(): Promise<void>
}

const METHODS = ['GET', 'HEAD']

export interface ServedPage {
  status: number
  type: string
  text: string
}
export type Pages = Map<string, () => Promise<ServedPage>>

export const pageOf = ({ ok, body }: HealthReport): ServedPage => ({
  status: ok ? 200 : 503,
  type: 'application/json',
  text: JSON.stringify(body),
})

/** Serves pages by their paths. */
export async function servePages(pages: Pages, port: number, host: string): Promise<MetricsServer> {
  const server = createHttpServer(async (request, response) => {
    const render = pages.get(request.url?.split('?')[0] ?? '')
    if (!render) return response.writeHead(404).end()
    if (!METHODS.includes(request.method ?? '')) return response.writeHead(405, { Allow: METHODS.join(', ') }).end()
    const { status, type, text } = await render()
    response.writeHead(status, { 'Content-Type': type }).end(text)
  })
  await once(server.listen(port, host), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
