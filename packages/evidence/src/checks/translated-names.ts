import { languageOf } from '@subtext/captions'
import { createCalendarFinder } from '../language/calendar-words.ts'
import type { Check } from './check.ts'
import { capitalizesNouns, createNameCheck, findNames, sharesScript } from './names.ts'

/**
 * Creates the check that the names in a text of another language than its lines are said in them or in what the publisher wrote,
 * if both languages are written with the same letters. The languages are BCP-47 tags.
 */
export function createTranslatedNameCheck(
  published: readonly string[],
  language: string,
  linesLanguage: string,
): Check {
  const isCompared = sharesScript(language, linesLanguage) && !capitalizesNouns(language)
  const selectUnpublished = createNameCheck(published)
  const findCalendarWords = createCalendarFinder(languageOf(language))
  return {
    reason: 'unknown_name',
    isPassed(text, { near }) {
      if (!isCompared) return true
      const names = findNames(text).filter((name) => findCalendarWords(name).size === 0)
      return names.length === 0 || createNameCheck([near])(selectUnpublished(names)).length === 0
    },
  }
}
