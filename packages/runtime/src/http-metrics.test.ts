import { once } from 'node:events'
import { createServer, METHODS, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHttpMetrics } from './http-metrics.ts'
import { createMetrics } from './metrics.ts'

const PATHS = Array.from({ length: 35 }, (_, nth) => `/route-${nth}`)

test('a client that tries every method on every path does not use up the series', async () => {
  const metrics = createMetrics()
  const http = createHttpMetrics(metrics)
  const ended = new Set<string>()
  const server = createServer((request, response) => {
    const { method = '', url = '' } = request
    http.watch(
      request,
      response,
      () => url,
      () => ended.add(`${method} ${url}`),
    )
    response.writeHead(method === 'POST' ? 202 : method === 'GET' ? 401 : 405).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const send = (method: string, path: string) =>
    new Promise((resolve, reject) => {
      const outgoing = request({ port, host: '127.0.0.1', method, path }, (response) =>
        response.resume().on('end', resolve),
      )
      outgoing.on('error', reject).end()
    })
  // CONNECT is not a request.
  const methods = METHODS.filter((method) => method !== 'CONNECT')
  for (const path of PATHS) await Promise.all(methods.map((method) => send(method, path)))
  await send('POST', '/videos/process')
  server.close()

  expect(ended.size).toBe(methods.length * PATHS.length + 1)
  const counts = (await metrics.render())
    .split('\n')
    .filter((line) => line.startsWith('subtext_http_request_seconds_count'))
  expect(counts).toContain('subtext_http_request_seconds_count{method="POST",route="/videos/process",status="202"} 1')
  expect(counts).toContain('subtext_http_request_seconds_count{method="GET",route="/route-7",status="401"} 1')
  expect(counts).toContain('subtext_http_request_seconds_count{method="PUT",route="unknown",status="405"} 35')
  expect(counts).toContain(
    `subtext_http_request_seconds_count{method="other",route="unknown",status="405"} ${PATHS.length * (methods.length - 7)}`,
  )
  expect(counts).toHaveLength(2 * PATHS.length + 1 + 6)
})
