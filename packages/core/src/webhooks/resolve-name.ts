import { lookup, Resolver } from 'node:dns/promises'
import { createSemaphore } from '@subtext/runtime'
import { LRUCache } from 'lru-cache'
import type { ResolveName } from './address-guard.ts'

/** Timeout of each query and retry. Short, so that a name server that never answers costs little. */
const TIMEOUT_MS = 2_000
const TRIES = 2
const MAX_SYSTEM_LOOKUPS = 2
const CACHE_SIZE = 1_000
const CACHE_MS = 30_000

/** Codes of `node:dns` for a name server that did not answer. */
const NO_ANSWER = new Set(['ETIMEOUT', 'ECANCELLED', 'EDESTRUCTION'])

interface ResolverOptions {
  /** Addresses of name servers, with a port if it is not 53; those of the system by default. */
  servers?: string[]
  timeoutMs?: number
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? ''

/**
 * Creates a resolver that queries the name servers directly. The lookup of the system runs on the four threads of Node's
 * pool, which names whose servers never answer would block for the whole process. A name that the name servers do not know
 * may be in the hosts file, so it is then looked up by the system, a few names at a time.
 */
export function createNameResolver({ servers, timeoutMs = TIMEOUT_MS }: ResolverOptions = {}): ResolveName {
  const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES })
  if (servers) resolver.setServers(servers)
  const systemLookups = createSemaphore(MAX_SYSTEM_LOOKUPS)
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length > 0) return addresses
    for (const answer of answers) {
      if (answer.status === 'rejected' && NO_ANSWER.has(codeOf(answer.reason))) throw answer.reason
    }
    const found = await systemLookups.run(() => lookup(name, { all: true }))
    return found.map(({ address }) => address)
  }
}

/** Caches lookups for 30 seconds, failed ones too. Concurrent lookups of one name share one query. */
export function cacheNameLookups(resolve: ResolveName): ResolveName {
  const answers = new LRUCache<string, Promise<string[]>>({ max: CACHE_SIZE, ttl: CACHE_MS })
  return (name) => {
    const known = answers.get(name)
    if (known) return known
    const answer = resolve(name)
    answers.set(name, answer)
    return answer
  }
}
