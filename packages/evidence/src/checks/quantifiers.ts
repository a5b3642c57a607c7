import { languageOf } from '@subtext/captions'
import type { FindStems } from '../language/find-stems.ts'
import type { Check } from './check.ts'

/** How much of something: none, few, some, most, all. */
type Share = 0 | 1 | 2 | 3 | 4
const [NONE, FEW, SOME, MOST, ALL] = [0, 1, 2, 3, 4] as const

/** Words that say how much of something, or how often, the longer ones first. */
const QUANTIFIERS: Partial<Record<string, readonly [share: Share, words: string][]>> = {
  en: [
    [MOST, '(?:almost|nearly|virtually) (?:all|every|always)|(?<!the )most|mostly|usually'],
    [SOME, 'not (?:all|every|always)|some|several|sometimes|occasionally'],
    [FEW, '(?<!a )few|hardly any|hardly ever|rarely|seldom'],
    [NONE, 'none of|no(?! longer| more| doubt)|never'],
    [ALL, '(?<!at |after |above |not )all|every|each|always'],
  ],
  de: [
    [MOST, 'fast (?:alle[nr]?|jede[nrms]?|immer)|die meisten|den meisten|meistens'],
    [SOME, 'nicht (?:alle[nr]?|jede[nrms]?|immer)|einige[nr]?|manche[nrms]?|mehrere[nr]?|manchmal'],
    [FEW, '(?:nur )?wenige[nr]?|selten|kaum'],
    [NONE, 'kein(?:e[nmrs]?)?|nie|niemals'],
    [ALL, String.raw`alle[nr]?|sämtliche[nr]?|jede[nrms]?|immer(?! noch| mehr| wieder| \p{L}+er(?!\p{L}))`],
  ],
  es: [
    [MOST, 'casi (?:tod[oa]s?|siempre)|la mayor(?:ía| parte) de'],
    [SOME, 'no tod[oa]s|no siempre|algun[oa]s|vari[oa]s|a veces'],
    [FEW, 'poc[oa]s|rara vez|raramente|casi nunca'],
    [NONE, 'ningún|ningun[oa]|nunca'],
    [ALL, 'tod[oa]s|cada|siempre'],
  ],
  fr: [
    [MOST, String.raw`presque (?:tou(?:s|tes)|toujours)|la plupart d\p{L}*`],
    [SOME, 'pas (?:tou(?:s|tes)|toujours)|certaine?s|quelques|plusieurs|parfois'],
    [FEW, 'peu de|rarement'],
    [NONE, 'aucune?|jamais'],
    [ALL, 'tous|toutes|chaque|toujours'],
  ],
  pt: [
    [MOST, String.raw`quase (?:tod[oa]s|sempre)|a maior(?:ia| parte) d\p{L}*`],
    [SOME, 'nem (?:tod[oa]s|sempre)|algun?s|algumas|vári[oa]s|às vezes'],
    [FEW, 'pouc[oa]s|raramente|quase nunca'],
    [NONE, 'nenhuma?|nunca'],
    [ALL, 'tod[oa]s|cada|sempre'],
  ],
}

const PATTERNS = new Map(
  Object.entries(QUANTIFIERS).map(([language, list = []]) => [
    language,
    {
      shares: list.map(([share]) => share),
      pattern: new RegExp(
        String.raw`(?<![\p{L}\p{M}])(?:${list.map(([, words]) => `(${words})`).join('|')})(?![\p{L}\p{M}])`,
        'gu',
      ),
    },
  ]),
)

/** Characters behind a word that it can be about. */
const REACH = 50
const STOP = /[.!?;:,]/u
/** Nobody says as many in a few lines: someone wants us to be busy. */
const MAX_QUANTIFIERS = 60

/** Tells whether a share of something is more, or much less, than lines say of the same. */
function isOverstated(own: Share, said: readonly Share[]): boolean {
  if (said.length === 0 || said.includes(own)) return false
  // What is said of all or of most may be another thing that none does: negations are compared by themselves.
  if (own === NONE) return Math.max(...said) <= SOME
  return own >= MOST ? Math.max(...said) < own : own === FEW && Math.min(...said) >= MOST
}

/**
 * Creates the check that a text does not say of all, of most, of few or of none what its lines say of another share of the same:
 * `all workers` for `some workers`, `never` for `rarely`. To say it of fewer is no contradiction. `language`: of both, BCP-47.
 */
export function createQuantifierCheck(language: string, findStems: FindStems): Check {
  const quantifiers = PATTERNS.get(languageOf(language))
  const findShares = (original: string): { share: Share; stem: string }[] => {
    if (!quantifiers) return []
    const text = original.normalize('NFKC').toLowerCase()
    return [...text.matchAll(quantifiers.pattern)].slice(0, MAX_QUANTIFIERS).flatMap((match) => {
      const [word, ...groups] = match
      const after = text.slice(match.index + word.length, match.index + word.length + REACH)
      const [stem] = findStems(after.split(STOP, 1)[0] ?? '')
      const share = quantifiers.shares[groups.findIndex((group) => group !== undefined)]
      return stem === undefined || share === undefined ? [] : [{ share, stem }]
    })
  }
  return {
    reason: 'contradicted',
    isPassed(text, { near }) {
      const own = findShares(text)
      if (own.length === 0) return true
      const said = findShares(near)
      return !own.some(({ share, stem }) =>
        isOverstated(
          share,
          said.filter((other) => other.stem === stem).map((other) => other.share),
        ),
      )
    },
  }
}
