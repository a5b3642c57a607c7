import type { PlatformSession } from '../session/open-session.ts'
import type { ClientHealth } from './client-health.ts'
import type { EgressHealth } from './egress-health.ts'

/** A path to the platform, direct or through a proxy, with the session that is currently used on it. */
export interface Egress {
  /** `direct`, `proxy_1`, `proxy_2`, ... Contains no address, so it may be logged and shown. */
  readonly name: string
  readonly isProxy: boolean
  readonly health: EgressHealth
  readonly clients: ClientHealth
  /** Returns the current session, or opens one. */
  acquire(): Promise<PlatformSession>
  /** Drops a session that the platform has turned against, so that the next `acquire` opens another one. */
  discard(session: PlatformSession): void
}

// A visitor that watches hundreds of videos an hour is refused the next one.
const MAX_USES = 200
const MAX_AGE_MS = 60 * 60 * 1000
const MAX_GENERATED_AGE_MS = 5 * 60 * 1000

interface EgressOptions extends Pick<Egress, 'name' | 'isProxy' | 'health' | 'clients'> {
  open: () => Promise<PlatformSession>
  now?: () => number
}

interface HeldSession {
  opening: Promise<PlatformSession>
  session?: PlatformSession
  openedAt: number
  uses: number
}

export const createEgress = ({ name, isProxy, health, clients, open, now = Date.now }: EgressOptions): Egress => {
  let current: HeldSession | undefined

  const isWorn = ({ session, uses, openedAt }: HeldSession): boolean => {
    const maxAgeMs = session?.isGenuine === false ? MAX_GENERATED_AGE_MS : MAX_AGE_MS
    return uses >= MAX_USES || now() - openedAt >= maxAgeMs
  }

  return {
    name,
    isProxy,
    health,
    clients,
    async acquire() {
      if (!current || isWorn(current)) current = { opening: open(), openedAt: now(), uses: 0 }
      const held = current
      held.uses++
      try {
        held.session = await held.opening
        return held.session
      } catch (error) {
        if (current === held) current = undefined
        throw error
      }
    },
    discard(session) {
      if (current?.session === session) current = undefined
    },
  }
}
