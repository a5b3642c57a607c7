import { API_PREFIX, type RouteShape } from '@subtext/contracts'
import leven from 'leven'

const MAX_SEGMENTS = 8
const MAX_SEGMENT_LENGTH = 40

const split = (path: string): string[] => path.split('/').filter((segment) => segment !== '')
const isParameter = (segment: string): boolean => segment.startsWith('{')

const PREFIX = split(API_PREFIX)

interface KnownPath {
  path: string
  segments: string[]
}

/** Returns what `findNearestPath` may suggest if these routes are served. A path that any name would fit is no suggestion. */
export function listKnownPaths(routes: Pick<RouteShape, 'path' | 'besideNames'>[]): KnownPath[] {
  const named = routes.filter(({ besideNames }) => !besideNames)
  const paths = [...named.map(({ path }) => path), '/docs', '/openapi.json'].map((path) => `${API_PREFIX}${path}`)
  return [...new Set(paths)].map((path) => ({ path, segments: split(path) }))
}

/** The segments as they were sent, and as they would be with the prefix of the API, another version of it, or only a part. */
function listReadings(sent: string[]): string[][] {
  const below = sent.filter((segment, index) => index > 1 || !/^(?:api|v\d+)$/.test(segment))
  return [sent, [...PREFIX, ...below]]
}

/** Returns how many characters differ, or null if there are too many for a typo. All identifiers count as equal. */
function measureDistance(sent: string[], known: string[]): number | null {
  let distance = 0
  for (const [index, segment] of known.entries()) {
    const given = sent[index]
    if (isParameter(segment)) {
      // A path that ends before its identifier.
      if (given === undefined) distance += 1
      continue
    }
    if (given === undefined) return null
    const differing = leven(given.toLowerCase(), segment)
    if (differing > Math.max(Math.min(2, segment.length - 1), Math.floor(segment.length / 3))) return null
    distance += differing
  }
  return distance
}

/** Returns the known path that was probably meant by an unknown one, if any is close. */
export function findNearestPath(path: string, knownPaths: KnownPath[]): string | undefined {
  const sent = split(path)
  if (sent.length === 0 || sent.length > MAX_SEGMENTS || sent.some(({ length }) => length > MAX_SEGMENT_LENGTH)) return
  let nearest: { path: string; distance: number } | undefined
  for (const reading of listReadings(sent)) {
    for (const { path: known, segments } of knownPaths) {
      if (reading.length > segments.length || reading.length < segments.length - 1) continue
      const distance = measureDistance(reading, segments)
      if (distance !== null && distance < (nearest?.distance ?? Number.POSITIVE_INFINITY)) {
        nearest = { path: known, distance }
      }
    }
  }
  return nearest?.path
}
