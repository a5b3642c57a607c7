import { clientNetwork } from '@subtext/runtime'

const WINDOW_MS = 3_600_000
const MAX_NETWORKS = 10_000

interface Window {
  used: number
  endsAt: number
}

/**
 * Counts requests without a valid key or token by the network of the client, as the API does. The API cannot: it sees only the
 * address of this server. Valid keys are never refused for them.
 */
export function createFailureCount(limit: number, now: () => number = () => performance.now()) {
  const windows = new Map<string, Window>()
  const find = (network: string): Window => {
    const window = windows.get(network)
    if (window && window.endsAt > now()) return window
    windows.delete(network)
    // The oldest come first.
    for (const [each, { endsAt }] of windows) {
      if (endsAt > now() && windows.size < MAX_NETWORKS) break
      windows.delete(each)
    }
    const opened = { used: 0, endsAt: now() + WINDOW_MS }
    windows.set(network, opened)
    return opened
  }
  /** Counts a failure. Returns the seconds after which to try again if there were too many, and otherwise null. */
  return (address: string): number | null => {
    const window = find(clientNetwork(address))
    window.used++
    return window.used > limit ? Math.max(1, Math.ceil((window.endsAt - now()) / 1_000)) : null
  }
}
