import { lookup } from 'node:dns'
import { request as requestHttp } from 'node:http'
import { type RequestOptions, request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { areAllPublic, findWebhookUrlProblem, hostOf, isPublicAddress } from '../webhooks/address-guard.ts'
import { OAuthError } from './oauth-error.ts'

/** Far more bytes than a document needs. */
const MAX_BYTES = 16_384
const TIMEOUT_MS = 5_000
const CACHE_SIZE = 1_000
const CACHE_MS = 5 * 60_000

export interface FetchPolicy {
  /** Allows http and private addresses (for development). */
  allowPrivate: boolean
}

/** Returns the document at a URL, parsed. Throws `OAuthError`. */
export type FetchMetadata = (url: string) => Promise<unknown>

/** Returns whether a client ID is the URL of a metadata document. */
export const isMetadataUrl = (clientId: string): boolean => /^https?:\/\//.test(clientId)

/**
 * Creates the function that fetches the metadata documents of clients, which anyone can name: only over TLS from addresses
 * of the public Internet, without redirects, for a limited time and size. The address that was checked is the one connected
 * to. Documents are cached for minutes, failures too.
 */
export function createMetadataFetcher(policy: FetchPolicy): FetchMetadata {
  const cache = new LRUCache<string, Promise<unknown>>({ max: CACHE_SIZE, ttl: CACHE_MS })
  return (url) => {
    const known = cache.get(url)
    if (known) return known
    const fetched = fetchMetadata(url, policy)
    fetched.catch(() => {})
    cache.set(url, fetched)
    return fetched
  }
}

const refuse = (why: string): OAuthError =>
  new OAuthError('invalid_client', `The metadata document of the client cannot be used: ${why}.`)

async function fetchMetadata(text: string, { allowPrivate }: FetchPolicy): Promise<unknown> {
  const problem = findWebhookUrlProblem(text, { allowPrivate, httpsOnly: !allowPrivate })
  const url = URL.parse(text)
  // One document must not serve as several clients.
  if (problem !== null || !url || url.href !== text || url.hash || url.pathname === '/') {
    throw refuse('its URL is not an https URL with a path, in its normal form, on the public Internet')
  }
  const body = await download(url, allowPrivate)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw refuse('it is not JSON')
  }
}

/** Resolves a name, and fails if any of its addresses is private. */
export const lookUpPublic: LookupFunction = (name, options, done) => {
  lookup(name, { ...options, all: true }, (error, found) => {
    if (error) return done(error, '')
    const addresses = found.map(({ address }) => address)
    if (!areAllPublic(addresses)) return done(new Error('the address is private'), '')
    const [first] = found
    return options.all ? done(null, found) : done(null, first?.address ?? '', first?.family)
  })
}

function download(url: URL, allowPrivate: boolean): Promise<Buffer> {
  // A literal address is not resolved, so it is checked here.
  if (!allowPrivate && ipaddr.isValid(hostOf(url)) && !isPublicAddress(hostOf(url)))
    throw refuse('its address is private')
  const options: RequestOptions = {
    headers: { Accept: 'application/json', 'Accept-Encoding': 'identity', 'User-Agent': 'Subtext' },
    agent: false,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(!allowPrivate && { lookup: lookUpPublic }),
  }
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(refuse(why))
    const sent = request(url, options, (response) => {
      const isJson = /^application\/(?:[\w.-]+\+)?json\b/i.test(response.headers['content-type'] ?? '')
      if (response.statusCode !== 200 || !isJson) {
        response.destroy()
        return fail('the response is not 200 with JSON')
      }
      const pieces: Buffer[] = []
      let size = 0
      response.on('data', (piece: Buffer) => {
        size += piece.length
        if (size <= MAX_BYTES) pieces.push(piece)
        else {
          response.destroy()
          fail(`it is larger than ${MAX_BYTES} bytes`)
        }
      })
      response.on('end', () => resolve(Buffer.concat(pieces)))
      response.on('error', () => fail('it could not be read'))
    })
    sent.on('error', () => fail('it could not be fetched'))
    sent.end()
  })
}
