import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { API_PREFIX, buildOpenApi, ROUTES } from '@subtext/contracts'
import { createExchangeChecker } from '@subtext/contracts/testing'

/** Of longer bodies only the headers are checked. */
const MAX_BODY_BYTES = 1_000_000
const CHANNEL = 'http.server.request.start'
const MAX_SHOWN = 10

const DECODERS: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
}

/** Created once and only when needed: compiling the schemas takes a second. */
let checker: ReturnType<typeof createExchangeChecker> | undefined
const check: ReturnType<typeof createExchangeChecker> = (exchange) => {
  checker ??= createExchangeChecker(buildOpenApi(ROUTES, 'http://127.0.0.1'))
  return checker(exchange)
}

/**
 * Registers hooks that check every response under `/api/v1` from a server in this process against the OpenAPI document, and
 * fail the test in which one differs.
 */
export function checkEveryResponse(): void {
  const problems: string[] = []
  const observe = (message: unknown): void => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    const { method = '', url = '' } = request
    if (!url.toLowerCase().startsWith(API_PREFIX)) return
    onEnd(response, (body) => {
      problems.push(...check({ method, target: url, status: response.statusCode, headers: headersOf(response), body }))
    })
  }
  const report = (): void => {
    const found = problems.splice(0)
    if (found.length === 0) return
    throw new Error(
      `${found.length} responses differ from the OpenAPI document:\n${found.slice(0, MAX_SHOWN).join('\n')}`,
    )
  }
  beforeAll(() => subscribe(CHANNEL, observe))
  afterEach(report)
  afterAll(() => {
    unsubscribe(CHANNEL, observe)
    report()
  })
}

const headersOf = (response: ServerResponse): Record<string, string> =>
  Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]))

/** Passes on the whole body before its last piece is sent, so that a client that has a response knows that it was checked. */
function onEnd(response: ServerResponse, done: (body: string | undefined) => void): void {
  const pieces: Buffer[] = []
  let size = 0
  const keep = (piece: unknown): void => {
    if (typeof piece !== 'string' && !(piece instanceof Uint8Array)) return
    size += piece.length
    if (size <= MAX_BODY_BYTES) pieces.push(Buffer.from(piece))
  }
  const write = response.write.bind(response) as (...args: unknown[]) => boolean
  const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse
  response.write = (...args: unknown[]) => {
    keep(args[0])
    return write(...args)
  }
  let ended = false
  response.end = (...args: unknown[]) => {
    if (!ended) {
      ended = true
      keep(args[0])
      done(size <= MAX_BODY_BYTES ? decode(response, Buffer.concat(pieces)) : undefined)
    }
    return end(...args)
  }
}

function decode(response: ServerResponse, bytes: Buffer): string {
  const decoder = DECODERS[String(response.getHeader('content-encoding'))]
  return (decoder && bytes.length > 0 ? decoder(bytes) : bytes).toString()
}
