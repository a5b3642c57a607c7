import {
  buildClaimText,
  type Check,
  createAmountFinder,
  createClaimChecks,
  createLeakGuard,
  createStemFinder,
  type FindStems,
  findReason,
} from '@subtext/evidence'
import { DIGEST_RULES, type GroupAnswer } from './digest-prompt.ts'
import type { DigestGroups, SummarizedPoint } from './types.ts'

const MAX_THEMES = 12
const MAX_DISAGREEMENTS = 6
const MAX_TITLE = 120
const MAX_QUESTION = 300
/** Words of content that two positions on one matter have in common. */
const MIN_SHARED = 2
const ADDRESS = /:\/\/|\bwww\.|\b(?:javascript|data|mailto):|<\s?[/!|]?\s?[a-z]|\]\s?\(/i
const LEAK_WORDS = 5
const isLeak = createLeakGuard([DIGEST_RULES], LEAK_WORDS)

interface GroupChecks {
  points: readonly SummarizedPoint[]
  findStems: FindStems
  findAmounts: ReturnType<typeof createAmountFinder>
  checks: readonly Check[]
}

/**
 * Returns what an answer of a model groups that can be shown: each point in one theme; headings and questions that share words with
 * their points, say no number or name that these do not, and neither negate them nor turn them round; disagreements on one matter
 * between at least two videos. A heading that fails is replaced by words of its points. `language`: of the points, BCP-47.
 */
export function checkGroups(answer: GroupAnswer, points: readonly SummarizedPoint[], language: string): DigestGroups {
  const checks: GroupChecks = {
    points,
    findStems: createStemFinder(language),
    findAmounts: createAmountFinder(language),
    checks: createClaimChecks({ language, linesLanguage: language, published: [] }),
  }
  const taken = new Set<number>()
  const take = (numbers: readonly number[]): number[] => {
    const places = [...new Set(numbers)]
      .map((number) => number - 1)
      .filter((place) => points[place] && !taken.has(place))
    for (const place of places) taken.add(place)
    return places
  }
  const themes = answer.themes.slice(0, MAX_THEMES).flatMap(({ heading, segment_ids }) => {
    const places = take(segment_ids)
    if (places.length === 0) return []
    return [{ title: checkTitle(heading, places, checks) ?? nameTheme(places, checks), points: places }]
  })
  return {
    themes,
    disagreements: answer.disagreements
      .flatMap((disagreement) => checkDisagreement(disagreement, checks) ?? [])
      .slice(0, MAX_DISAGREEMENTS),
  }
}

const textOf = (places: readonly number[], { points }: GroupChecks): string =>
  places.map((place) => points[place]?.text ?? '').join(' ')

/** Returns a heading or question that may be shown above these points; null for any other. */
function checkTitle(title: string, places: readonly number[], checks: GroupChecks, max = MAX_TITLE): string | null {
  const said = textOf(places, checks)
  const text = buildClaimText(title.replace(/\s+/g, ' ').trim(), said)
  if (text === '' || text.length > max || ADDRESS.test(title.normalize('NFKC')) || isLeak(text)) return null
  if (countShared(checks.findStems(text), checks.findStems(said)) === 0) return null
  return findReason(text, { cited: said, near: said, sentences: said }, checks.checks) === null ? text : null
}

const MAX_NAME_WORDS = 6

/** Returns the beginning of the first point. */
function nameTheme(places: readonly number[], { points }: GroupChecks): string {
  const text = points[places[0] ?? 0]?.text ?? ''
  const words = text.split(' ')
  return words.length > MAX_NAME_WORDS ? `${words.slice(0, MAX_NAME_WORDS).join(' ')} …` : text.slice(0, MAX_TITLE)
}

const countShared = (one: ReadonlySet<string>, other: ReadonlySet<string>): number =>
  [...one].filter((stem) => other.has(stem)).length

function checkDisagreement(
  { question, positions }: GroupAnswer['disagreements'][number],
  checks: GroupChecks,
): DigestGroups['disagreements'][number] | null {
  const { points } = checks
  const places = [...new Set(positions.map(({ segment_ids }) => (segment_ids[0] ?? 0) - 1))].filter(
    (place) => points[place],
  )
  const opposed = places.filter((place) =>
    places.some((other) => points[other]?.jobId !== points[place]?.jobId && isOneMatter(place, other, checks)),
  )
  if (new Set(opposed.map((place) => points[place]?.jobId)).size < 2) return null
  const title = checkTitle(question, opposed, checks, MAX_QUESTION)
  return title === null ? null : { question: title, positions: opposed.map((place) => [place]) }
}

/** Tells whether two points share two words of content, or a number. */
function isOneMatter(one: number, other: number, { points, findStems, findAmounts }: GroupChecks): boolean {
  const [a, b] = [points[one]?.text ?? '', points[other]?.text ?? '']
  if (countShared(findStems(a), findStems(b)) >= MIN_SHARED) return true
  const values = new Set(findAmounts(a).flatMap((amount) => amount.values))
  return findAmounts(b).some((amount) => amount.values.some((value) => values.has(value)))
}
