import type { Egress } from './egress.ts'

const MAX_PROXIES = 3
const MAX_SESSIONS = 2

/** Returns the egresses to try for one video, in order. A repeated egress opens a new session if the last was refused. */
type PlanRoute = (useProxy: boolean | null) => Egress[]

/** Returns the egresses that a job with this `useProxy` may use. */
export const selectAllowed = (direct: Egress, proxies: Egress[], useProxy: boolean | null): Egress[] => {
  if (useProxy === null) return [direct, ...proxies]
  return useProxy ? proxies : [direct]
}

export const createRoutePlanner = (direct: Egress, proxies: Egress[]): PlanRoute => {
  let turn = 0
  const nextProxies = (): Egress[] => {
    const first = proxies.length === 0 ? 0 : turn++ % proxies.length
    const inTurn = [...proxies.slice(first), ...proxies.slice(0, first)]
    const isResting = (egress: Egress): boolean => egress.health.restLeftMs() > 0
    // A rest may end before a proxy has its turn, so resting ones come last.
    return [...inTurn.filter((egress) => !isResting(egress)), ...inTurn.filter(isResting)].slice(0, MAX_PROXIES)
  }
  const withRepeats = (route: Egress[]): Egress[] =>
    route.length === 1 ? Array.from({ length: MAX_SESSIONS }, () => route).flat() : route
  return (useProxy) => {
    if (useProxy === true) return withRepeats(nextProxies())
    return withRepeats(useProxy === false ? [direct] : [direct, ...nextProxies()])
  }
}
