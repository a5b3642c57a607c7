import type { Pattern } from './patterns.ts'

const quote = (lexeme: string): string => `'${lexeme.replace(/['\\]/g, '$&$&')}'`
const anyOf = (alternatives: string[]): string =>
  alternatives.length === 1 ? (alternatives[0] ?? '') : `(${alternatives.join(' | ')})`

/** Returns what the index must have of a pattern. Letters of scripts without spaces are indexed in pairs. */
function listLexemes(pattern: Pattern): string[] {
  const lexemes: string[] = []
  for (const [place, word] of pattern.entries()) {
    const next = pattern[place + 1]
    if (word.kind === 'word') lexemes.push(anyOf(word.forms.map(quote)))
    else if (next && next.kind !== 'word' && next.isJoined) lexemes.push(quote(`${word.forms[0]}${next.forms[0]}`))
    else if (place === 0 || !word.isJoined || pattern[place - 1]?.kind === 'word') {
      lexemes.push(`${quote(word.forms[0] ?? '')}:*`)
    }
  }
  return lexemes
}

/** Returns a `tsquery` for the transcripts that may have all of the patterns, and none of those of a single word. */
export function buildWordsQuery(wanted: readonly Pattern[], excluded: readonly Pattern[] = []): string {
  const without = excluded.filter((pattern) => pattern.length === 1 && pattern[0]?.kind === 'word')
  return [...wanted.flatMap(listLexemes), ...without.flatMap(listLexemes).map((lexeme) => `!${lexeme}`)].join(' & ')
}

/** Returns a `tsquery` for the transcripts that may have any of the patterns. */
export const buildQuestionQuery = (patterns: readonly Pattern[]): string => patterns.flatMap(listLexemes).join(' | ')
