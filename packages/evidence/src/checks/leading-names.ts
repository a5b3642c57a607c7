import type { FindStems } from '../language/find-stems.ts'
import type { Check } from './check.ts'
import { createNameCheck, findNames } from './names.ts'
import { findRepeated } from './replaced-names.ts'

/** The word with a capital letter that begins a sentence, before one in lower case. */
const FIRST = /^["“'‘«(¡¿]*(\p{Lu}[\p{L}\p{M}\p{N}'’-]+) (\p{Ll}[\p{L}\p{M}]*)/u
/** The one or more with which a sentence of the lines begins. */
const SUBJECT = /^["“'‘«(¡¿\s]*((?:\p{Lu}[\p{L}\p{M}\p{N}'’-]+ ){1,3})(\p{Ll}[\p{L}\p{M}]*)/u

/**
 * Creates the check that a sentence does not begin with a word that nobody says in place of the name with which the sentence that
 * it repeats begins: other words with a capital letter may be names or not where a sentence begins. `language`: of both, one that
 * does not write all nouns like names.
 */
export function createLeadingNameCheck(published: readonly string[], findStems: FindStems): Check {
  const selectUnpublished = createNameCheck(published)
  return {
    reason: 'unknown_name',
    isPassed(sentence, { near }) {
      const [, word = '', verb = ''] = FIRST.exec(sentence) ?? []
      if (word === '' || findStems(word).size === 0) return true
      if (createNameCheck([near])(selectUnpublished([word])).length === 0) return true
      const repeated = findRepeated(sentence.replace(word, ''), near, findStems)
      const [, subject = '', saidVerb = ''] = (repeated && SUBJECT.exec(repeated)) || []
      if (subject === '' || saidVerb !== verb) return true
      const parts = subject.trim().split(' ')
      const names = findNames(near)
      // A single word is a name if the lines write it with a capital letter elsewhere, too.
      const isName = parts.length > 1 || parts.some((part) => names.includes(part))
      return !isName || parts.some((part) => sentence.includes(part))
    },
  }
}
