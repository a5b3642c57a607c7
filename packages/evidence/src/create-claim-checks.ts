import { isWrittenAlike } from '@subtext/captions'
import { type Check, checkSentences } from './checks/check.ts'
import { createDateCheck, createTranslatedDateCheck } from './checks/dates.ts'
import { createEllipsisCheck } from './checks/ellipses.ts'
import { createLeadingNameCheck } from './checks/leading-names.ts'
import { createLookAlikeCheck } from './checks/look-alikes.ts'
import { createMultipleCheck } from './checks/multiples.ts'
import { capitalizesNouns, createUnknownNameCheck } from './checks/names.ts'
import { createNegationCheck, createTranslatedNegationCheck } from './checks/negations.ts'
import { createNumberCheck } from './checks/numbers.ts'
import { createOppositeCheck } from './checks/opposites.ts'
import { createQuantifierCheck } from './checks/quantifiers.ts'
import { createRelationCheck } from './checks/relations.ts'
import { createReplacedNameCheck } from './checks/replaced-names.ts'
import { createReplacedNumberCheck } from './checks/replaced-numbers.ts'
import { createRoleCheck } from './checks/subjects.ts'
import { createTranslatedNameCheck } from './checks/translated-names.ts'
import { createTranslatedNumberCheck } from './checks/translated-numbers.ts'
import { createStemFinder } from './language/find-stems.ts'
import { createSentenceSplitter } from './language/split-sentences.ts'

const QUESTION = /[?？؟]\s*$/u

export interface ClaimCheckOptions {
  /** Of the claims, BCP-47. */
  language: string
  /** Of the lines, BCP-47. */
  linesLanguage: string
  /** The publisher's own words about the video, which may contain names: the title, the channel, the description. */
  published: readonly string[]
}

/**
 * Creates the checks that every text of a model has to pass before it is shown, besides sharing words with its lines or quoting
 * them: its numbers, units and dates are said, it neither negates its lines nor turns them round, and its names are known. In
 * another language than that of the lines, only numbers in digits or above ten, dates, names that are not translated, and whether
 * there is a negation at all can be compared.
 */
export function createClaimChecks({ language, linesLanguage, published }: ClaimCheckOptions): Check[] {
  if (!isWrittenAlike(language, linesLanguage)) {
    return [
      createLookAlikeCheck(published, language),
      createTranslatedNumberCheck(language, linesLanguage),
      createTranslatedDateCheck(language, linesLanguage),
      createTranslatedNameCheck(published, language, linesLanguage),
      createTranslatedNegationCheck(language, linesLanguage),
    ]
  }
  const findStems = createStemFinder(linesLanguage)
  const splitSentences = createSentenceSplitter(linesLanguage)
  // A question states nothing that could be turned round where its answer does.
  const splitStatements = (text: string): string[] => {
    const sentences = splitSentences(text)
    return sentences.filter((sentence, index) => index === sentences.length - 1 || !QUESTION.test(sentence))
  }
  return [
    createLookAlikeCheck(published, language),
    createNumberCheck(language, linesLanguage),
    createMultipleCheck(linesLanguage),
    checkSentences(createReplacedNumberCheck(linesLanguage, findStems), splitStatements),
    createDateCheck(language, linesLanguage),
    ...(capitalizesNouns(language)
      ? [createReplacedNameCheck(published, findStems)]
      : [
          createUnknownNameCheck(published, language),
          checkSentences(createLeadingNameCheck(published, findStems), splitStatements),
        ]),
    ...[
      createNegationCheck(linesLanguage, findStems),
      createEllipsisCheck(linesLanguage, findStems),
      createOppositeCheck(linesLanguage, findStems),
      createQuantifierCheck(linesLanguage, findStems),
      createRelationCheck(linesLanguage, findStems),
      createRoleCheck(linesLanguage, findStems),
    ].map((check) => checkSentences(check, splitStatements)),
  ]
}
