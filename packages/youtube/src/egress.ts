import type { ExitHealth } from './exit-health.ts'
import type { PlatformSession } from './session.ts'

/** A way out to the platform, with the session currently used over it. */
export interface Egress {
  /** `direct`, `proxy_1`, `proxy_2`, ...: no address, so that it may be shown. */
  readonly name: string
  readonly isProxy: boolean
  readonly health: ExitHealth
  acquire(): Promise<PlatformSession>
  /** The platform has turned against the session: the next `acquire` opens another one. */
  discard(session: PlatformSession): void
}

// A visitor who watches hundreds of videos an hour is refused for the next one.
const MOST_USES = 200
const LONGEST_LIFE_MS = 60 * 60 * 1000
const LONGEST_MADE_UP_LIFE_MS = 5 * 60 * 1000

interface EgressOptions extends Pick<Egress, 'name' | 'isProxy' | 'health'> {
  open: () => Promise<PlatformSession>
  now?: () => number
}

export const createEgress = ({ name, isProxy, health, open, now = Date.now }: EgressOptions): Egress => {
  let current:
    | { opening: Promise<PlatformSession>; session?: PlatformSession; openedAt: number; uses: number }
    | undefined

  const isWorn = (): boolean => {
    if (!current) return true
    const life = current.session?.isGenuine === false ? LONGEST_MADE_UP_LIFE_MS : LONGEST_LIFE_MS
    return current.uses >= MOST_USES || now() - current.openedAt >= life
  }

  return {
    name,
    isProxy,
    health,
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
    const turned = proxies.map((_, offset) => proxies[(first + offset) % proxies.length] as Egress)
    const isResting = (egress: Egress): boolean => egress.health.restLeftMs() > 0
    // Those that rest stand last: where nothing else is left, they say until when.
    return [...turned.filter((way) => !isResting(way)), ...turned.filter(isResting)].slice(0, MOST_PROXIES)
  }
  const withRepeats = (route: Egress[]): Egress[] =>
    route.length === 1 ? Array.from({ length: MOST_SESSIONS }, () => route[0] as Egress) : route
  return (useProxy) => {
    if (useProxy === true) return withRepeats(nextProxies())
    return withRepeats(useProxy === false ? [direct] : [direct, ...nextProxies()])
  }
}
