import { languageOf } from '@subtext/captions'
import type { FindStems } from '../language/find-stems.ts'
import { WORD } from '../language/words.ts'
import type { Check } from './check.ts'
import { capitalizesNouns, findNames } from './names.ts'
import { findRepeated } from './replaced-names.ts'

const wordOf = (word: string): RegExp => new RegExp(`(?<![\\p{L}\\p{M}\\p{N}])${word}(?![\\p{L}\\p{M}\\p{N}])`, 'iu')

/** Words for a man and for a woman who does something. A language in which they can mean a thing as well has none. */
const PRONOUNS: Partial<Record<string, [man: RegExp, woman: RegExp]>> = {
  en: [wordOf('he'), wordOf('she')],
  ar: [wordOf('هو'), wordOf('هي')],
  // 其他 is `other`, and 他们 may be men and women.
  zh: [/(?<!其)他(?!们)/, /她(?!们)/],
}

type People = { man: boolean; woman: boolean } | null

/** Tells whether one text speaks of a man alone, and the other of a woman. */
const isOtherPerson = (stated: People, said: People): boolean =>
  stated !== null && said !== null && stated.man !== stated.woman && said.man !== said.woman && stated.man !== said.man

function findPronouns(text: string, language: string): People {
  const pronouns = PRONOUNS[language]
  return pronouns ? { man: pronouns[0].test(text), woman: pronouns[1].test(text) } : null
}

/** Prepositions after which a name is where or when something happens, or by whom it is done. */
const PREPOSITIONS = new Set(
  'at by from in into of on to with near à au aux chez dans de des du en par pour sur vers a al con del desde para por ao com da das do dos na nas no nos pela pelo'.split(
    ' ',
  ),
)
/** Languages in which the order of the words tells who does something. */
const ORDERED = new Set(['en', 'es', 'fr', 'pt'])

/** Returns the last words of the names of a text that no preposition precedes, in their order, of those that are `known`. */
function listActors(text: string, known: ReadonlySet<string>): string[] {
  const words = text.match(WORD) ?? []
  const isNamed = (index: number): boolean => known.has(words[index] ?? '')
  return words.filter((_, index) => {
    if (!isNamed(index) || isNamed(index + 1)) return false
    let first = index
    while (isNamed(first - 1)) first--
    return !PREPOSITIONS.has(words[first - 1]?.toLowerCase() ?? '')
  })
}

/**
 * Tells whether a statement gives to one person what the lines give to another, as far as it can be told without understanding
 * them: `he` for `she`, two names that have changed places, or the name of someone else. `language`: of both, BCP-47. `near`:
 * the lines with those beside them.
 */
export function swapsSubjects(
  statement: string,
  { lines, near }: { lines: string; near: string },
  language: string,
  findStems: FindStems,
): boolean {
  // Where names cannot be told from nouns, another check looks for those that are replaced.
  if (capitalizesNouns(language)) return false
  const base = languageOf(language)
  const repeated = findRepeated(statement, lines, findStems)
  if (repeated === null) return false
  const [stated, said] = [findPronouns(statement, base), findPronouns(repeated, base)]
  if (isOtherPerson(stated, said)) return true
  const [own, theirs] = [findNames(statement), findNames(repeated)]
  const known = new Set([...own, ...theirs])
  if (isReordered(listActors(statement, known), listActors(repeated, known), base)) return true
  // Somebody is named, and it is nobody of these lines, though they name somebody.
  const isIn = (text: string) => (name: string) => text.toLowerCase().includes(name.toLowerCase())
  return !own.every(isIn(near)) && !theirs.every(isIn(statement))
}

/** Tells whether two actors that both texts name have changed places. */
function isReordered(own: string[], theirs: string[], language: string): boolean {
  if (!ORDERED.has(language)) return false
  const [one, other] = [own, theirs].map((names) => names.filter((name) => own.includes(name) && theirs.includes(name)))
  return (
    new Set(one).size === 2 && one?.length === 2 && other?.length === 2 && one[0] === other[1] && one[0] !== other[0]
  )
}

interface Acting {
  sentence: string
  actors: string[]
}

/**
 * Tells whether a sentence with no other words than another has another actor, whom both name: `A bought it from B` and `B bought
 * it from A`.
 */
function isExchanged(own: Acting, theirs: Acting, findStems: FindStems): boolean {
  const [[one, ...others], [other, ...more]] = [own.actors, theirs.actors]
  if (!one || !other || one === other || others.length > 0 || more.length > 0) return false
  const said = findStems(theirs.sentence)
  const isNamed = own.sentence.includes(other) && theirs.sentence.includes(one)
  return isNamed && [...findStems(own.sentence)].every((stem) => said.has(stem))
}

/**
 * Creates the check that two names of a sentence have not changed places in a language in which the order of the words tells who
 * does something. `language`: of the sentence and its lines, BCP-47.
 */
export const createRoleCheck = (language: string, findStems: FindStems): Check => ({
  reason: 'contradicted',
  isPassed(sentence, { near }) {
    const own = findNames(sentence)
    const base = languageOf(language)
    const stated = findPronouns(sentence, base)
    const hasPronoun = stated !== null && stated.man !== stated.woman
    const isOrdered = own.length > 0 && ORDERED.has(base)
    if (!hasPronoun && !isOrdered) return true
    const repeated = findRepeated(sentence, near, findStems)
    if (repeated === null) return true
    if (hasPronoun && isOtherPerson(stated, findPronouns(repeated, base))) return false
    if (!isOrdered) return true
    const known = new Set([...own, ...findNames(repeated)])
    const [actors, saidActors] = [listActors(sentence, known), listActors(repeated, known)]
    if (isReordered(actors, saidActors, base)) return false
    return !isExchanged({ sentence, actors }, { sentence: repeated, actors: saidActors }, findStems)
  },
})

/** Creates the check that a sentence gives to nobody what its lines give to another: see `swapsSubjects`. */
export const createSubjectCheck = (language: string, findStems: FindStems): Check => ({
  reason: 'contradicted',
  isPassed: (sentence, { cited, near }) => !swapsSubjects(sentence, { lines: cited, near }, language, findStems),
})
