import { languageOf } from '@subtext/captions'
import { listOtherwise, writePlainly } from '../numbers/said-otherwise.ts'
import { createNumberCheck, type NumberCheck, type NumberToSay } from './numbers.ts'

/** `One` is an article of other languages as well. */
const MIN_WORD = 2
/** In languages whose numerals are parts of other words, too, short ones are no numbers, and those of Korean in no case. */
const MIN_WORDS: Partial<Record<string, number>> = { ja: 11, zh: 11, ko: Number.POSITIVE_INFINITY }

const CENTURY = 100
/** Whether two numbers are the same decade: `the seventies` and `the 1970s`. */
const isDecadeOf = (value: number, other: number): boolean =>
  value % 10 === 0 && value >= 1_800 && value < 2_030 && value % CENTURY === other && other > 10

/**
 * Creates the check whether the numbers of a text are said in its lines in another language, in digits, in words, or as other
 * languages say them: `both` for two, `siglo XVI` for the 16th century. The languages are BCP-47 tags.
 */
export function createTranslatedNumberCheck(language: string, linesLanguage: string): NumberCheck {
  const minWord = MIN_WORDS[languageOf(language)] ?? MIN_WORD
  const { reason, listNumbers, selectUnsaid } = createNumberCheck(language, linesLanguage, minWord)
  const selectMissing = (numbers: readonly NumberToSay[], lines: string): NumberToSay[] => {
    const plain = writePlainly(lines, linesLanguage)
    const unsaid = selectUnsaid(numbers, plain)
    if (unsaid.length === 0) return []
    const otherwise = listOtherwise(plain, linesLanguage)
    const isSaid = ({ values }: NumberToSay): boolean =>
      values.some((value) =>
        otherwise.some((other) => other === value || isDecadeOf(value, other) || isDecadeOf(other, value)),
      )
    return unsaid.filter((number) => !isSaid(number))
  }
  const listOwn = (text: string): NumberToSay[] => listNumbers(writePlainly(text, language))
  return {
    reason,
    isPassed: (text, { sentences }) => selectMissing(listOwn(text), sentences).length === 0,
    listNumbers: listOwn,
    selectUnsaid: selectMissing,
  }
}
