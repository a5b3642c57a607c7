/** How many cues have to begin with a name for it to be one, and how many names there have to be. */
const MIN_CUES = 3
const MIN_NAMES = 2
const MAX_NAME_WORDS = 4

/** `- Ana:`, `>> ANA:` */
const PREFIX = String.raw`(?:[-–—]|>{1,3})?\s{0,4}`
const BEGINNING = new RegExp(String.raw`^${PREFIX}([\p{L}\p{N}][^:：<>\n]{0,80}?)\s{0,2}(?::(?=\s|$)|：)\s{0,8}`, 'u')
const LETTER = /\p{L}/u

export interface Named {
  name: string
  /** What follows the name and its colon. */
  rest: string
}

/** Returns the words before the colon at the beginning of a line, if they can be a name. */
export function readName(line: string): Named | null {
  if (!line.includes(':') && !line.includes('：')) return null
  const [beginning, name] = BEGINNING.exec(line) ?? []
  if (beginning === undefined || name === undefined || !LETTER.test(name)) return null
  if (name.split(/\s+/).length > MAX_NAME_WORDS) return null
  return { name, rest: line.slice(beginning.length) }
}

/**
 * Returns the names that are speakers, from the first line of every cue: those that begin three cues, if there are two of them,
 * so that `Note:` is not taken for a speaker.
 */
export function findSpeakerNames(firstLines: Iterable<string>): Set<string> {
  const counts = new Map<string, number>()
  for (const line of firstLines) {
    const name = readName(line)?.name
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const names = [...counts].filter(([, count]) => count >= MIN_CUES).map(([name]) => name)
  return new Set(names.length >= MIN_NAMES ? names : [])
}
