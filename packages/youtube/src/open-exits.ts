import { ProxyAgent } from 'undici'
import { createEgress, type Egress } from './egress.ts'
import { createExitHealth } from './exit-health.ts'
import type { PlatformMonitor } from './monitor.ts'
import { openSession } from './session.ts'
import type { TokenProvider } from './token-provider.ts'
import { createSend } from './transport.ts'

interface ExitOptions {
  origin?: string
  proxyUrls: string[]
  requestTimeoutMs: number
  restMs: number
  now?: () => number
  tokens?: TokenProvider
  monitor: PlatformMonitor
  log: (message: string, fields: Record<string, unknown>) => void
}

/** All ways out to the platform. Proxies are known by their position alone: their addresses may hold passwords. */
export const openExits = (options: ExitOptions): { direct: Egress; proxies: Egress[] } => {
  const { origin, requestTimeoutMs, tokens, log, restMs, now, monitor } = options
  const send = createSend(origin)
  const open = (name: string, proxyUrl?: string): Egress =>
    createEgress({
      name,
      isProxy: proxyUrl !== undefined,
      health: createExitHealth({
        restMs,
        now,
        onChange(state) {
          monitor.countExitChange({ exit: name, state })
          log('youtube_exit', { exit: name, state })
        },
      }),
      open: () => {
        // A new agent opens new tunnels, and a rotating proxy gives each tunnel another address.
        const dispatcher = proxyUrl === undefined ? undefined : new ProxyAgent({ uri: proxyUrl })
        return openSession({ send, dispatcher, requestTimeoutMs, tokens, log })
      },
    })
  return {
    direct: open('direct'),
    proxies: options.proxyUrls.map((uri, index) => open(`proxy_${index + 1}`, uri)),
  }
}
