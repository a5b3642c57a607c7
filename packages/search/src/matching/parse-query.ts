/** What a query of words asks for, as it is written. */
export interface WordsQuery {
  /** Words and phrases that have to be said. */
  wanted: string[]
  /** Words and phrases that must not be said. */
  excluded: string[]
}

/** Those of keyboards for Chinese and Japanese are wide. */
const QUOTES = '"＂“”„«»「」『』'
const MINUS = '-－−'
/** A phrase in quotation marks, of which the last may be missing, or what is written without a space. */
const PART = new RegExp(`([${MINUS}]?)[${QUOTES}]([^${QUOTES}]*)(?:[${QUOTES}]|$)|([^\\s${QUOTES}]+)`, 'gu')
/** Signs after which another word begins even without a space; not the comma of a number. */
const BREAK = /[,;:!?](?!\d)|[、，。；：！？…]/u
const EXCLUDED = new RegExp(`^[${MINUS}][^${MINUS}]`, 'u')
const WORD = /[\p{L}\p{N}]/u

/** Parses the syntax of searches: `words`, `"a phrase"`, `-without`. There is no query that it refuses. */
export function parseQuery(query: string): WordsQuery {
  const parsed: WordsQuery = { wanted: [], excluded: [] }
  const add = (text: string, isExcluded: boolean): void => {
    if (WORD.test(text)) parsed[isExcluded ? 'excluded' : 'wanted'].push(text)
  }
  for (const match of query.matchAll(PART)) {
    const [, minus = '', phrase, bare = ''] = match
    // A minus within a word is a hyphen.
    const begins = match.index === 0 || /[\s]/u.test(query[match.index - 1] ?? '')
    if (phrase !== undefined) add(phrase, minus !== '' && begins)
    else {
      const isExcluded = begins && EXCLUDED.test(bare)
      for (const word of bare.split(BREAK)) add(word, isExcluded)
    }
  }
  return parsed
}
