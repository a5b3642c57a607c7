import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Subtext, type SubtextOptions } from '../client.ts'

interface SeenRequest {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

interface TestService {
  url: string
  /** All requests so far. */
  requests: SeenRequest[]
  client(options?: Partial<SubtextOptions>): Subtext
  /** Answers the requests from now on. */
  replyWith(...responders: Responders): void
}

type Responder = (response: ServerResponse, request: SeenRequest) => void

type Responders = [Responder, ...Responder[]]

/**
 * Returns a function that starts a service which answers requests one after the other; the last responder answers all further
 * ones. The services of a test are closed when it ends.
 */
export function useTestService(): (...responders: Responders) => Promise<TestService> {
  const servers: Server[] = []
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  })
  return async (...first) => {
    const requests: SeenRequest[] = []
    let [responders, start] = [first, 0]
    const server = createServer(async (request, response) => {
      const { method = '', url = '', headers } = request
      const respond = responders[requests.length - start] ?? responders.at(-1)
      const seen: SeenRequest = { method, url, headers, body: '' }
      requests.push(seen)
      seen.body = await text(request)
      respond?.(response, seen)
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return {
      url,
      requests,
      client: (options) => new Subtext({ apiKey: 'sk_test', baseUrl: url, ...options }),
      replyWith: (...next) => {
        responders = next
        start = requests.length
      },
    }
  }
}

const META = { request_id: 'request-1', timestamp: '2026-01-01T00:00:00.000Z', version: 'v1' }

/** Responds with the envelope of a success. */
export const data =
  (value: unknown, meta: object = {}): Responder =>
  (response) =>
    response
      .writeHead(200, { 'Content-Type': 'application/json' })
      .end(JSON.stringify({ success: true, data: value, meta: { ...META, ...meta } }))

/** Responds with the envelope of an error. */
export const failure =
  (
    status: number,
    code: string,
    retryable: boolean,
    headers: Record<string, string> = {},
    details?: object,
  ): Responder =>
  (response) =>
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(
      JSON.stringify({
        success: false,
        error: { code, message: `Message of ${code}.`, details, retryable },
        meta: META,
      }),
    )

/** Breaks the connection without a response. */
export const reset: Responder = (response) => response.destroy()

/** Responds with a stream of events that ends after the last one. */
export const stream =
  (...events: [name: string, id: string, data: unknown][]): Responder =>
  (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders()
    for (const [name, id, value] of events) {
      response.write(`event:${name}\nid:${id}\ndata:${JSON.stringify(value)}\n\n`)
    }
    response.end()
  }
