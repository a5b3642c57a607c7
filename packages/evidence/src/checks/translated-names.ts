import { languageOf } from '@subtext/captions'
import { createAlikeCheck } from '../language/alike-names.ts'
import { createCalendarFinder } from '../language/calendar-words.ts'
import { createPlaceFinder } from '../language/place-names.ts'
import { COMMON_ENDINGS, TITLE_WORDS } from '../language/translated-words.ts'
import type { Check } from './check.ts'
import { capitalizesNouns, createNameCheck, findNames, sharesScript } from './names.ts'

/** `UN` and `ONU`: initials are translated with the words that they stand for. */
const INITIALS = /^\p{Lu}{2,5}(?:['’]s|s)?$/u

/**
 * Creates the check that the names in a text of another language than its lines are said in them or in what the publisher wrote,
 * if both languages are written with the same letters. Names that are translated, such as those of countries and `White House`,
 * are not compared. The languages are BCP-47 tags.
 */
export function createTranslatedNameCheck(
  published: readonly string[],
  language: string,
  linesLanguage: string,
): Check {
  const isCompared = sharesScript(language, linesLanguage) && !capitalizesNouns(language)
  const selectUnpublished = createNameCheck(published)
  const findCalendarWords = createCalendarFinder(language)
  const [findPlaces, findSaidPlaces] = [createPlaceFinder(language), createPlaceFinder(linesLanguage)]
  const titleWords = TITLE_WORDS[languageOf(language)]
  const endings = COMMON_ENDINGS[languageOf(language)]
  const isTranslated = (name: string): boolean =>
    INITIALS.test(name) ||
    findCalendarWords(name).size > 0 ||
    name
      .split(/['’-]/u)
      .every((part) => (titleWords?.has(part.toLowerCase()) ?? false) || (endings?.test(part) ?? false))
  return {
    reason: 'unknown_name',
    isPassed(text, { near }) {
      if (!isCompared) return true
      const unpublished = selectUnpublished(findNames(text).filter((name) => !isTranslated(name)))
      if (unpublished.length === 0) return true
      const isAlike = createAlikeCheck(`${near} ${published.join(' ')}`)
      const places = findSaidPlaces(near)
      return unpublished.every((name) => isAlike(name) || [...findPlaces(name)].some((place) => places.has(place)))
    },
  }
}
