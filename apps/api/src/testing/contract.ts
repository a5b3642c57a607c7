import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { API_PREFIX, buildOpenApi } from '@subtext/contracts'
import { createExchangeChecker } from '@subtext/contracts/testing'
import { ROUTES } from '../routes.ts'

/** Longer bodies are checked by their headers alone. */
const LONGEST_BODY = 1_000_000
const CHANNEL = 'http.server.request.start'
const SHOWN = 10

const DECODERS: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
}

/**
 * Holds every answer under `/api/v1` that a server in this process gives against the OpenAPI document; the test in which
 * one differs fails. To be called at the top of a test file.
 */
export function checkEveryAnswer(): void {
  const check = createExchangeChecker(buildOpenApi(ROUTES, 'http://127.0.0.1'))
  const faults: string[] = []
  const observe = (message: unknown): void => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    const { method = '', url = '' } = request
    if (!url.toLowerCase().startsWith(API_PREFIX)) return
    onEnd(response, (body) => {
      faults.push(...check({ method, target: url, status: response.statusCode, headers: headersOf(response), body }))
    })
  }
  const report = (): void => {
    const found = faults.splice(0)
    if (found.length === 0) return
    throw new Error(`Not in the OpenAPI document, ${found.length}:\n${found.slice(0, SHOWN).join('\n')}`)
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

/** Tells the whole body before its last piece leaves: whoever has the answer can rely on its having been checked. */
function onEnd(response: ServerResponse, done: (body: string | undefined) => void): void {
  const pieces: Buffer[] = []
  let size = 0
  const keep = (piece: unknown): void => {
    if (typeof piece !== 'string' && !(piece instanceof Uint8Array)) return
    size += piece.length
    if (size <= LONGEST_BODY) pieces.push(Buffer.from(piece))
  }
  const write = response.write.bind(response) as (...terms: unknown[]) => boolean
  const end = response.end.bind(response) as (...terms: unknown[]) => ServerResponse
  response.write = (...terms: unknown[]) => {
    keep(terms[0])
    return write(...terms)
  }
  let ended = false
  response.end = (...terms: unknown[]) => {
    if (!ended) {
      ended = true
      keep(terms[0])
      done(size <= LONGEST_BODY ? decode(response, Buffer.concat(pieces)) : undefined)
    }
    return end(...terms)
  }
}

function decode(response: ServerResponse, bytes: Buffer): string {
  const decoder = DECODERS[String(response.getHeader('content-encoding'))]
  return (decoder && bytes.length > 0 ? decoder(bytes) : bytes).toString()
}
