import { lookup, Resolver } from 'node:dns/promises'
import { createSemaphore } from '@subtext/runtime'
import { LRUCache } from 'lru-cache'
import type { ResolveName } from './address-guard.ts'

/** As the resolver of the system has it; short enough that a name server that never answers costs little. */
const TIMEOUT_MS = 2_000
const TRIES = 2
const MAX_SYSTEM_LOOKUPS = 2
const REMEMBERED_NAMES = 1_000
const REMEMBERED_MS = 30_000

/** Codes of `node:dns` for an answer that never came. */
const SILENCE = new Set(['ETIMEOUT', 'ECANCELLED', 'EDESTRUCTION'])

interface NameServers {
  /** Addresses, with ports where they are not 53; those of the system unless given. */
  servers?: string[]
  timeoutMs?: number
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? ''

/**
 * Asks the name servers, without the threads that the system's own lookup takes: four of them serve a whole process, and
 * names whose servers never answer would hold them all. What the name servers do not know may stand in the system's own
 * files, and is asked for there, a little at a time.
 */
export function createNameResolver({ servers, timeoutMs = TIMEOUT_MS }: NameServers = {}): ResolveName {
  const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES })
  if (servers) resolver.setServers(servers)
  const systemLookups = createSemaphore(MAX_SYSTEM_LOOKUPS)
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length > 0) return addresses
    for (const answer of answers) {
      if (answer.status === 'rejected' && SILENCE.has(codeOf(answer.reason))) throw answer.reason
    }
    const found = await systemLookups.run(() => lookup(name, { all: true }))
    return found.map(({ address }) => address)
  }
}

/** Remembers answers for a little while, also that there was none, and asks once for those who ask together. */
export function cacheNameLookups(resolve: ResolveName): ResolveName {
  const answers = new LRUCache<string, Promise<string[]>>({ max: REMEMBERED_NAMES, ttl: REMEMBERED_MS })
  return (name) => {
    const known = answers.get(name)
    if (known) return known
    const answer = resolve(name)
    answers.set(name, answer)
    return answer
  }
}
