import type { PlatformSession } from './session.ts'

/** A way out to the platform, with the session currently used over it. */
export interface Egress {
  readonly isProxy: boolean
  acquire(): Promise<PlatformSession>
  /** The platform has turned against the session: the next `acquire` opens another one. */
  discard(session: PlatformSession): void
}

// A visitor who watches hundreds of videos an hour is refused for the next one.
const MOST_USES = 200
const LONGEST_LIFE_MS = 60 * 60 * 1000
const LONGEST_MADE_UP_LIFE_MS = 5 * 60 * 1000

export const createEgress = (
  isProxy: boolean,
  open: () => Promise<PlatformSession>,
  now: () => number = Date.now,
): Egress => {
  let current:
    | { opening: Promise<PlatformSession>; session?: PlatformSession; openedAt: number; uses: number }
    | undefined

  const isWorn = (): boolean => {
    if (!current) return true
    const life = current.session?.isGenuine === false ? LONGEST_MADE_UP_LIFE_MS : LONGEST_LIFE_MS
    return current.uses >= MOST_USES || now() - current.openedAt >= life
  }

  return {
    isProxy,
    async acquire() {
      if (isWorn() || !current) current = { opening: open(), openedAt: now(), uses: 0 }
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

const MOST_PROXIES = 3
const MOST_SESSIONS = 3

/** The ways out to try for one video, in order. A way out that stands again gets a new session if the last was refused. */
type PlanRoute = (useProxy: boolean | null) => Egress[]

export const createRoutePlanner = (direct: Egress, proxies: Egress[]): PlanRoute => {
  let turn = 0
  const nextProxies = (): Egress[] => {
    const first = turn++
    const count = Math.min(proxies.length, MOST_PROXIES)
    return Array.from({ length: count }, (_, offset) => proxies[(first + offset) % proxies.length] as Egress)
  }
  const withRepeats = (route: Egress[]): Egress[] =>
    route.length === 1 ? Array.from({ length: MOST_SESSIONS }, () => route[0] as Egress) : route
  return (useProxy) => {
    if (useProxy === true) return withRepeats(nextProxies())
    return withRepeats(useProxy === false ? [direct] : [direct, ...nextProxies()])
  }
}
