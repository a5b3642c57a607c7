import type { FindStems } from '../language/find-stems.ts'
import { rateSentences } from '../language/shared-stems.ts'
import { WORD } from '../language/words.ts'
import type { Check } from './check.ts'
import { createNameCheck, findNames, type SelectUnsaidNames } from './names.ts'

/** The share of the words of a statement that a sentence has to say to be the one that it repeats. */
const MIN_SHARE = 0.75

/** Returns the sentence of the lines that a statement repeats nearly word by word; null if there is none. */
export function findRepeated(statement: string, lines: string, findStems: FindStems): string | null {
  const stems = findStems(statement)
  const best = rateSentences(stems, lines, findStems).reduce((a, b) => (b.shared > a.shared ? b : a), {
    sentence: '',
    shared: 0,
  })
  return stems.size >= 2 && best.shared >= stems.size * MIN_SHARE ? best.sentence : null
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
  if (repeated === null) return false
  // Automatic captions have no capital letters to tell what was replaced.
  return !/\p{Lu}/u.test(lines) || createNameCheck([statement])(findNames(repeated)).length > 0
}

/**
 * Creates the check of names for a language that writes nouns with a capital letter, too: a text must not have a name that
 * neither its lines nor the publisher's words say in place of one of theirs.
 */
export function createReplacedNameCheck(published: readonly string[], findStems: FindStems): Check {
  const selectUnpublished = createNameCheck(published)
  return {
    reason: 'unknown_name',
    isPassed(text, { near }) {
      const isSaid = createNameCheck([near])
      const selectUnsaid: SelectUnsaidNames = (names) => isSaid(selectUnpublished(names))
      return !replacesName(text, { lines: near, selectUnsaid }, findStems)
    },
  }
}
