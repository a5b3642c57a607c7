import { languageOf } from '@subtext/captions'
import type { FindStems } from '../language/find-stems.ts'
import { rateSentences } from '../language/shared-stems.ts'
import { WORD } from '../language/words.ts'
import type { Check } from './check.ts'
import { capitalizesNouns, createNameCheck, findNames, type SelectUnsaidNames } from './names.ts'

const wordOf = (word: string): RegExp => new RegExp(`(?<![\\p{L}\\p{M}\\p{N}])${word}(?![\\p{L}\\p{M}\\p{N}])`, 'iu')

/** Words for a man and for a woman who does something. A language in which they can mean a thing as well has none. */
const PRONOUNS: Partial<Record<string, [man: RegExp, woman: RegExp]>> = {
  en: [wordOf('he'), wordOf('she')],
  ar: [wordOf('هو'), wordOf('هي')],
  // 其他 is `other`, and 他们 may be men and women.
  zh: [/(?<!其)他(?!们)/, /她(?!们)/],
}

/** The share of the words of a statement that a sentence has to say to be the one that it repeats. */
const MIN_SHARE = 0.75

function findPronouns(text: string, language: string): { man: boolean; woman: boolean } | null {
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

/** Returns the names of a text that no preposition precedes, in their order, those that begin a sentence if they are `known`. */
function listActors(text: string, known: ReadonlySet<string>): string[] {
  const words = text.match(WORD) ?? []
  return words.filter((word, index) => known.has(word) && !PREPOSITIONS.has(words[index - 1]?.toLowerCase() ?? ''))
}

/**
 * Tells whether a statement gives to one person what the lines give to another, as far as it can be told without understanding
 * them: `he` for `she`, two names that have changed places, or the name of someone else. `language`: of both, BCP-47. `near`:
 * the lines with those beside them. `selectUnsaid`: against everything that is said in the video, and the publisher's own words.
 */
export function swapsSubjects(
  statement: string,
  { lines, near, selectUnsaid }: { lines: string; near: string; selectUnsaid: SelectUnsaidNames },
  language: string,
  findStems: FindStems,
): boolean {
  if (capitalizesNouns(language)) return replacesName(statement, { lines, selectUnsaid }, findStems)
  const base = languageOf(language)
  const repeated = findRepeated(statement, lines, findStems)
  if (repeated === null) return false
  const [stated, said] = [findPronouns(statement, base), findPronouns(repeated, base)]
  if (stated && said && stated.man !== stated.woman && said.man !== said.woman && stated.man !== said.man) return true
  const [own, theirs] = [findNames(statement), findNames(repeated)]
  const known = new Set([...own, ...theirs])
  if (isReordered(listActors(statement, known), listActors(repeated, known), base)) return true
  // Somebody is named, and it is nobody of these lines, though they name somebody.
  const isIn = (text: string) => (name: string) => text.toLowerCase().includes(name.toLowerCase())
  return !own.every(isIn(near)) && !theirs.every(isIn(statement))
}

/** A word after which comes a noun rather than a name: an article, or what ends like an adjective. */
const BEFORE_NOUN =
  /^(?:das|ein|kein|[msd]ein|ihr|unser|euer|im|am|zum|zur|vom|beim|ins|ans|\p{Ll}*(?:e|en|er|es|em))$/iu

/** Returns the words with a capital letter that look like names in a language that writes nouns with one, too. */
function findLikelyNames(text: string): string[] {
  const names = new Set(findNames(text))
  const words = text.match(WORD) ?? []
  return words.filter((word, index) => {
    const before = words[index - 1] ?? ''
    return names.has(word) && (names.has(before) || !BEFORE_NOUN.test(before))
  })
}

/**
 * Tells whether a statement has a name that nobody says in place of a name or noun of the sentence that it repeats, in a language
 * that writes nouns with a capital letter. A noun in place of another may mean the same.
 */
function replacesName(
  statement: string,
  { lines, selectUnsaid }: { lines: string; selectUnsaid: SelectUnsaidNames },
  findStems: FindStems,
): boolean {
  const unsaid = new Set(selectUnsaid(findLikelyNames(statement)))
  if (unsaid.size === 0) return false
  const rest = statement.replace(WORD, (word) => (unsaid.has(word) ? '' : word))
  const repeated = findRepeated(rest, lines, findStems)
  return repeated !== null && createNameCheck([statement])(findNames(repeated)).length > 0
}

/** Returns the sentence of the lines that a statement repeats nearly word by word; null if there is none. */
function findRepeated(statement: string, lines: string, findStems: FindStems): string | null {
  const stems = findStems(statement)
  const best = rateSentences(stems, lines, findStems).reduce((a, b) => (b.shared > a.shared ? b : a), {
    sentence: '',
    shared: 0,
  })
  return stems.size >= 2 && best.shared >= stems.size * MIN_SHARE ? best.sentence : null
}

/** Tells whether two actors that both texts name have changed places. */
function isReordered(own: string[], theirs: string[], language: string): boolean {
  if (!ORDERED.has(language)) return false
  const [one, other] = [own, theirs].map((names) => names.filter((name) => own.includes(name) && theirs.includes(name)))
  return (
    new Set(one).size === 2 && one?.length === 2 && other?.length === 2 && one[0] === other[1] && one[0] !== other[0]
  )
}

/** Creates the check that a sentence gives to nobody what its lines give to another: see `swapsSubjects`. */
export const createSubjectCheck = (selectUnsaid: SelectUnsaidNames, language: string, findStems: FindStems): Check => ({
  reason: 'contradicted',
  isPassed: (sentence, { cited, near }) =>
    !swapsSubjects(sentence, { lines: cited, near, selectUnsaid }, language, findStems),
})
