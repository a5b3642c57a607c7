import { languageOf } from '@subtext/captions'
import type { FindStems } from '../language/find-stems.ts'
import { countShared } from '../language/shared-stems.ts'
import type { Check } from './check.ts'
import { findRepeated } from './replaced-names.ts'

const COMPARED = String.raw`(?:\p{L}+ ){1,2}`
/** Words between two things of which one is more, earlier or the reason: a sentence says something else if they change places. */
const RELATIONS: Partial<Record<string, string>> = {
  en: 'than|before|after|because',
  de: 'als|bevor|nachdem|weil',
  es: `(?:más|menos) ${COMPARED}que|(?:mayor|menor|mejor|peor)(?:es)? que|antes (?:de )?que|después (?:de )?que|porque`,
  fr: `(?:plus|moins) ${COMPARED}qu[e'’]|(?:meilleur|pire)\\p{L}* qu[e'’]|avant|après|parce qu[e'’]`,
  pt: `(?:mais|menos) ${COMPARED}(?:do )?que|(?:maior|menor|melhor|pior)(?:es)? (?:do )?que|antes (?:de|que)|depois (?:de|que)|porque`,
}
const PATTERNS = new Map(
  Object.entries(RELATIONS).map(([language, words]) => [
    language,
    new RegExp(String.raw`(?<![\p{L}\p{M}])(?:${words})(?![\p{L}\p{M}])`, 'giu'),
  ]),
)

/** Without a topic elsewhere, but here they tell which of two things is meant. */
const ORDINAL =
  /(?<![\p{L}\p{M}])(?:first|second|third|last|erste|zweite|dritte|letzte|primer|segund|tercer|últim|premi|deuxi|troisi|derni|terceir)/gu

interface Relation {
  word: string
  left: Set<string>
  right: Set<string>
}

/** Returns what is on one side only, both here and there. */
const listMoved = (from: Relation, to: Relation, side: 'left' | 'right'): string[] => {
  const other = side === 'left' ? 'right' : 'left'
  return [...from[side]].filter((word) => !from[other].has(word) && to[other].has(word) && !to[side].has(word))
}

/** Tells whether a word from the left of a relation and one from its right have changed places. */
const isSwapped = (own: Relation, said: Relation): boolean =>
  own.word === said.word && listMoved(said, own, 'left').length > 0 && listMoved(said, own, 'right').length > 0

/**
 * Creates the check that a sentence in the words of its lines does not exchange what they compare, order in time, or give as a
 * reason: `A was higher than B` and `B was higher than A`. `language`: of both, BCP-47.
 */
export function createRelationCheck(language: string, findStems: FindStems): Check {
  const pattern = PATTERNS.get(languageOf(language))
  const findWords = (text: string): Set<string> =>
    new Set([...findStems(text), ...(text.toLowerCase().match(ORDINAL) ?? [])])
  /** A sentence with several of these words says too much to compare. */
  const findRelation = (text: string): Relation | null => {
    const [found, ...more] = pattern ? text.matchAll(pattern) : []
    if (!found || more.length > 0) return null
    const right = findWords(text.slice(found.index + found[0].length))
    return { word: found[0].toLowerCase(), left: findWords(text.slice(0, found.index)), right }
  }
  return {
    reason: 'contradicted',
    isPassed(sentence, { near, cited }) {
      const own = findRelation(sentence)
      if (!own) return true
      const stems = findStems(sentence)
      return [findRepeated(sentence, near, findStems), cited].every((lines) => {
        const said = lines === null ? null : findRelation(lines)
        return !said || countShared(stems, findStems(lines ?? '')) < stems.size || !isSwapped(own, said)
      })
    },
  }
}
