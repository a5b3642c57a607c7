import { ProxyAgent } from 'undici'
import type { PlatformLog, PlatformMonitor } from '../monitor.ts'
import { openSession } from '../session/open-session.ts'
import { createSend, type PlatformDestination } from '../session/transport.ts'
import type { TokenProvider } from '../token-provider.ts'
import { createClientHealth } from './client-health.ts'
import { createEgress, type Egress } from './egress.ts'
import { createEgressHealth } from './egress-health.ts'

interface EgressesOptions extends PlatformDestination {
  proxyUrls: string[]
  requestTimeoutMs: number
  restMs: number
  now?: () => number
  tokens?: TokenProvider
  monitor: PlatformMonitor
  log: PlatformLog
}

/** Opens all egresses. Proxies are named by their position, since their addresses may contain passwords. */
export const openEgresses = (options: EgressesOptions): { direct: Egress; proxies: Egress[] } => {
  const { origin, fetch, requestTimeoutMs, tokens, log, restMs, now, monitor } = options
  const send = createSend({ origin, fetch })
  const open = (name: string, proxyUrl?: string): Egress =>
    createEgress({
      name,
      isProxy: proxyUrl !== undefined,
      clients: createClientHealth(now),
      health: createEgressHealth({
        restMs,
        now,
        onChange(state) {
          monitor.countEgressChange({ egress: name, state })
          log('platform egress changed', { egress: name, state })
        },
      }),
      open: () => {
        // A new agent opens new tunnels, and a rotating proxy gives each tunnel another address.
        const dispatcher = proxyUrl === undefined ? undefined : new ProxyAgent({ uri: proxyUrl })
        return openSession({ send, dispatcher, requestTimeoutMs, tokens, log })
      },
    })
  const direct = open('direct')
  const proxies = options.proxyUrls.map((uri, index) => open(`proxy_${index + 1}`, uri))
  monitor.opened(() =>
    [direct, ...proxies].map(({ name, health }) => ({ egress: name, isResting: health.restLeftMs() > 0 })),
  )
  return { direct, proxies }
}
