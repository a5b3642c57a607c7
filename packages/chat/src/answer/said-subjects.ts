import { languageOf } from '@subtext/captions'
import type { FindStems } from '@subtext/summarize/citations'
import { findNames } from './said-words.ts'
import { rateSentences, WORD } from './shared-stems.ts'

/** Words for a man and for a woman who does something. A language in which they can mean a thing as well has none. */
const PRONOUNS: Partial<Record<string, [man: string, woman: string]>> = {
  en: ['he', 'she'],
  ar: ['هو', 'هي'],
}
const HAN = { zh: ['他', '她'] } as const

/** The share of the words of a statement that a sentence has to say to be the one that it repeats. */
const MIN_SHARE = 0.75

const wordsOf = (text: string): string[] => text.toLowerCase().match(WORD) ?? []

function findPronouns(text: string, language: string): { man: boolean; woman: boolean } | null {
  if (language === 'zh') return { man: text.includes(HAN.zh[0]), woman: text.includes(HAN.zh[1]) }
  const pronouns = PRONOUNS[language]
  if (!pronouns) return null
  const words = new Set(wordsOf(text))
  return { man: words.has(pronouns[0]), woman: words.has(pronouns[1]) }
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
 * the lines with those beside them.
 */
export function swapsSubjects(
  statement: string,
  { lines, near }: { lines: string; near: string },
  language: string,
  findStems: FindStems,
): boolean {
  const base = languageOf(language)
  const repeated = findRepeated(statement, lines, findStems)
  if (repeated === null) return false
  const [stated, said] = [findPronouns(statement, base), findPronouns(repeated, base)]
  if (stated && said && stated.man !== stated.woman && said.man !== said.woman && stated.man !== said.man) return true
  const [own, theirs] = [findNames(statement, language), findNames(repeated, language)]
  if (own === null || theirs === null) return false
  const known = new Set([...own, ...theirs])
  if (isReordered(listActors(statement, known), listActors(repeated, known), base)) return true
  // Someone is named, and it is nobody of these lines, though they name someone.
  const isIn = (text: string) => (name: string) => text.toLowerCase().includes(name.toLowerCase())
  return !own.every(isIn(near)) && !theirs.every(isIn(statement))
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
