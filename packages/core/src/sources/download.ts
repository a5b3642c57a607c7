import { type IncomingMessage, request as requestHttp } from 'node:http'
import { type RequestOptions, request as requestHttps } from 'node:https'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { findWebhookUrlProblem, type ResolveName } from '../webhooks/address-guard.ts'
import { AddressRefusedError, guardedLookup } from '../webhooks/guarded-lookup.ts'
import { createNameResolver } from '../webhooks/resolve-name.ts'

const MAX_HOPS = 5
/** How long the other side may be silent. */
const IDLE_MS = 20_000
const TIMEOUT_MS = 120_000

/**
 * Why nothing was downloaded: an address that must not be connected to, a document that is too large, a server that could not be
 * reached or broke off, or the status of its answer.
 */
export class DownloadError extends Error {
  readonly problem: 'refused' | 'too_large' | 'unreachable' | number

  constructor(problem: DownloadError['problem'], options?: ErrorOptions) {
    super(`The download failed: ${problem}`, options)
    this.name = 'DownloadError'
    this.problem = problem
  }
}

export interface Downloaded {
  /** Where it was found: relative addresses in it start here. */
  url: string
  body: Buffer
  /** As the server says, such as `iso-8859-1`. */
  charset: string | null
}

/** Downloads a document of at most `maxBytes`, unpacked. Rejects with a `DownloadError` or with the signal's reason. */
export type Download = (url: string, options: { maxBytes: number; signal: AbortSignal }) => Promise<Downloaded>

export interface DownloadPolicy {
  /** Allows private addresses (for development). */
  allowPrivate: boolean
  /** Default: DNS. */
  resolve?: ResolveName
}

/**
 * Creates the function that downloads what a stranger has named. The guard of webhooks checks the address of every hop, and the
 * addresses that were checked are the ones connected to.
 */
export function createDownloader({ allowPrivate, resolve = createNameResolver() }: DownloadPolicy): Download {
  const lookup = allowPrivate ? {} : { lookup: guardedLookup(resolve) }
  return async (start, { maxBytes, signal }) => {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
    try {
      let url = start
      for (let hop = 0; hop <= MAX_HOPS; hop++) {
        if (findWebhookUrlProblem(url, { allowPrivate, httpsOnly: false }) !== null) throw new DownloadError('refused')
        const response = await ask(url, { ...lookup, signal: limited })
        const { statusCode = 0, headers } = response
        const target = isRedirect(statusCode) ? URL.parse(headers.location ?? '', url) : null
        if (target) {
          response.destroy()
          target.hash = ''
          url = target.href
          continue
        }
        if (statusCode !== 200) {
          response.destroy()
          throw new DownloadError(statusCode)
        }
        const body = await readBody(response, maxBytes)
        return {
          url,
          body,
          charset: /charset\s*=\s*"?([\w.:-]{1,40})/i.exec(headers['content-type'] ?? '')?.[1] ?? null,
        }
      }
      throw new DownloadError(404)
    } catch (error) {
      if (error instanceof DownloadError) throw error
      signal.throwIfAborted()
      throw new DownloadError(error instanceof AddressRefusedError ? 'refused' : 'unreachable', { cause: error })
    }
  }
}

const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status)

function ask(url: string, options: RequestOptions): Promise<IncomingMessage> {
  const request = url.startsWith('https:') ? requestHttps : requestHttp
  const headers = {
    Accept: 'application/rss+xml, application/xml;q=0.9, */*;q=0.8',
    'Accept-Encoding': 'gzip, deflate, br',
    'User-Agent': 'Subtext (podcasts)',
  }
  return new Promise((resolve, reject) => {
    const sent = request(url, { ...options, headers, agent: false, timeout: IDLE_MS }, resolve)
    sent.on('timeout', () => sent.destroy(new Error('The server does not respond.')))
    sent.on('error', reject)
    sent.end()
  })
}

const UNPACKERS: Record<string, () => ReturnType<typeof createGunzip>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

const GZIP = [0x1f, 0x8b]

/** Reads what a server sends, unpacked. Both the packed and the unpacked size are limited. */
async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const encoding = (response.headers['content-encoding'] ?? '').trim().toLowerCase()
  const unpack = UNPACKERS[encoding]
  const body = await collect(unpack ? connect(response, unpack()) : response, maxBytes)
  // A few servers send packed files as they are.
  return body[0] === GZIP[0] && body[1] === GZIP[1] ? collect(unpackBuffer(body), maxBytes) : body
}

function connect(response: IncomingMessage, unpacker: ReturnType<typeof createGunzip>): Readable {
  response.on('error', (error) => unpacker.destroy(error))
  return response.pipe(unpacker)
}

function unpackBuffer(body: Buffer): Readable {
  const unpacker = createGunzip()
  unpacker.end(body)
  return unpacker
}

async function collect(stream: Readable, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  // Leaving the loop destroys the stream.
  for await (const piece of stream as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > maxBytes) throw new DownloadError('too_large')
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
