import { closestMatch } from 'leven'

/** Longer texts resemble no name, and comparing them would take time. */
const MAX_LENGTH = 40
/** A shorter part would match too many names, such as `id`. */
const MIN_PART = 4

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/**
 * Returns the name that was probably meant, if any is close: it differs in case or separators, in one of three letters, or
 * has one of the two in full within the other. Of equally close names, the first one counts.
 */
export function findNearestName(given: string, names: readonly string[]): string | undefined {
  if (given.length > MAX_LENGTH) return undefined
  const target = plain(given)
  if (target === '') return undefined
  const candidates = names.map(plain)
  const maxDistance = target.length === 1 ? 0 : Math.max(1, Math.floor(target.length / 3))
  const match =
    closestMatch(target, candidates, { maxDistance }) ??
    (target.length < MIN_PART
      ? undefined
      : candidates.find((name) => name.length >= MIN_PART && (name.includes(target) || target.includes(name))))
  return match === undefined ? undefined : names[candidates.indexOf(match)]
}
