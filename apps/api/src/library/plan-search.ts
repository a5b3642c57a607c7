import { languageOf, satisfiesLanguage } from '@subtext/captions'
import { type LibrarySearchKind, validationError } from '@subtext/contracts'
import type { LanguageQuery } from '@subtext/core/library'
import {
  buildPattern,
  buildQuestionQuery,
  buildTerms,
  buildWordsQuery,
  findDistinct,
  type Pattern,
  parseQuery,
  type TextFolder,
} from '@subtext/search'

/** What a query looks for in the transcripts of a language. */
export interface LanguagePlan {
  folder: TextFolder
  /** What is looked for. It has the same places in the plan of every language. */
  wanted: Pattern[]
  /** What must not be said. */
  excluded: Pattern[]
}

export interface SearchPlan {
  planFor(language: string): LanguagePlan
  /** Returns what the index is asked for. `all`: for transcripts with all patterns; otherwise, for those with any. */
  buildQueries(languages: readonly string[], all: boolean): LanguageQuery[]
}

/** Returns the languages of a library that a filter selects. */
export const selectLanguages = (languages: readonly string[], wanted: string | undefined): string[] =>
  languages.filter((language) => wanted === undefined || isIncluded(language, wanted))

/** A filter without a script or region includes all of them. */
const isIncluded = (language: string, wanted: string): boolean =>
  wanted === languageOf(wanted) ? languageOf(language) === languageOf(wanted) : satisfiesLanguage(wanted, language)

/**
 * Reads a query. Each language folds it by its own rules, because transcripts are folded by the rules of theirs. Error:
 * `VALIDATION_ERROR` if there is nothing to look for.
 */
export function planSearch(
  query: string,
  kind: LibrarySearchKind,
  folderOf: (language: string) => TextFolder,
): SearchPlan {
  const { wanted, excluded } = parseQuery(query)
  const plan = (language: string): LanguagePlan => {
    const folder = folderOf(language)
    const patternsOf = (parts: string[]) =>
      parts.map((part) => buildPattern(part, folder)).filter(({ length }) => length > 0)
    return kind === 'question'
      ? { folder, wanted: buildTerms(query, folder), excluded: [] }
      : { folder, wanted: patternsOf(wanted), excluded: patternsOf(excluded) }
  }
  if (plan('en').wanted.length === 0) {
    const message = 'Must have a word to look for that is not preceded by a minus.'
    throw validationError([{ path: 'query.q', message, code: 'nothing_to_look_for' }])
  }
  return createPlan(plan)
}

/** Plans the search for passages that fit a question or any of the further texts. */
export function planQuestion(texts: readonly string[], folderOf: (language: string) => TextFolder): SearchPlan {
  return createPlan((language) => {
    const folder = folderOf(language)
    return { folder, wanted: texts.flatMap((text) => buildTerms(text, folder)), excluded: [] }
  })
}

function createPlan(plan: (language: string) => LanguagePlan): SearchPlan {
  const plans = new Map<string, LanguagePlan>()
  const planFor = (language: string): LanguagePlan => {
    const known = plans.get(language) ?? plan(language)
    plans.set(language, known)
    return known
  }
  return { planFor, buildQueries: (languages, all) => groupQueries(languages, planFor, all) }
}

/** Languages that fold the query alike are searched together. */
function groupQueries(
  languages: readonly string[],
  planFor: (language: string) => LanguagePlan,
  all: boolean,
): LanguageQuery[] {
  const groups = new Map<string, LanguageQuery & { languages: string[] }>()
  for (const language of languages) {
    const { wanted, excluded } = planFor(language)
    const distinct = findDistinct(wanted).map((place) => wanted[place] ?? [])
    const ranked = buildQuestionQuery(distinct)
    const query = all ? buildWordsQuery(distinct, excluded) : ranked
    const group = groups.get(`${query}\n${ranked}`) ?? { languages: [], wanted: query, ranked }
    group.languages.push(language)
    groups.set(`${query}\n${ranked}`, group)
  }
  return [...groups.values()]
}
