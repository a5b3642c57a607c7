import { findNumberWords, foldNumberText, type NumberWords } from './number-words.ts'
import { withPlainDigits } from './plain-digits.ts'

/** Returns the numbers of `text` that `evidence` does not say. */
export type FindUnsaidNumbers = (text: string, evidence: string) => string[]

/** `1952`, `1,500`, `1 500`, `3.5`. */
const NUMBER = /\d{1,3}(?:[.,'’\u00A0\u202F ]\d{3})+(?!\d)(?:[.,]\d{1,9})?|\d+(?:[.,]\d{1,9})?/g
const GROUPING = /[.,'’\u00A0\u202F ](?=\d{3}(?!\d))/g
const isWhole = (number: string): boolean => /^\d{1,15}$/.test(number)

/** Returns a number without grouping and leading zeros, and with a point before its decimals. */
const normalize = (number: string): string =>
  number
    .replace(GROUPING, '')
    .replace(',', '.')
    .replace(/^0+(?=\d)/, '')

const listDigits = (plain: string): string[] => (plain.match(NUMBER) ?? []).map(normalize)

/** Everything that can be meant by the digits of a text: `12:30` says 12 and 30, `1,500` also 1500. */
const collectDigits = (plain: string): Set<string> =>
  new Set([...listDigits(plain), ...(plain.match(/\d+/g) ?? []).map(normalize)])

/** Returns the numbers that a text says in words, as words. */
function listNumberPhrases(text: string, words: NumberWords): string[] {
  if (words.isUnspaced) return []
  const phrases: string[] = []
  let phrase: string[] = []
  // `One` says a number only at the end of another one.
  const endsNumber = (word: string): boolean =>
    phrase.length > 0 && words.valueOf([...phrase, word].join(' ')) !== undefined
  for (const word of [...foldNumberText(text).split(' '), '']) {
    if (words.isNumberWord(word) || endsNumber(word)) phrase.push(word)
    else if (phrase.length > 0) {
      phrases.push(phrase.join(' '))
      phrase = []
    }
  }
  return phrases
}

/** What is said, in the forms in which numbers are looked up. */
interface SaidNumbers {
  digits: ReadonlySet<string>
  /** Folded text with a space at both ends, or text without spaces. */
  text: string
  words: NumberWords | null
}

function readEvidence(evidence: string, words: NumberWords | null): SaidNumbers {
  const plain = withPlainDigits(evidence)
  const text = words?.isUnspaced ? plain.replace(/\s/g, '') : ` ${foldNumberText(plain)} `
  return { digits: collectDigits(plain), text, words }
}

const isPhraseSaid = (phrase: string, { text, words }: SaidNumbers): boolean =>
  text.includes(words?.isUnspaced ? phrase : ` ${phrase} `)

const isValueSaid = (value: number, said: SaidNumbers): boolean =>
  said.digits.has(String(value)) ||
  (said.words?.readingsOf(value).some((reading) => isPhraseSaid(reading, said)) ?? false)

/**
 * Creates the check whether the numbers of a text are said, in digits or in words. The languages are BCP-47 tags. For a
 * language whose number words are not known, only digits are compared.
 */
export function createNumberCheck(textLanguage: string, evidenceLanguage: string): FindUnsaidNumbers {
  const ofText = findNumberWords(textLanguage)
  const ofEvidence = findNumberWords(evidenceLanguage)
  const isSameLanguage = ofText === ofEvidence
  return (text, evidence) => {
    const said = readEvidence(evidence, ofEvidence)
    const isNumberSaid = (number: string): boolean =>
      said.digits.has(number) || (isWhole(number) && isValueSaid(Number(number), said))
    let readings: Set<string> | undefined
    const isSaidInWords = (phrase: string, words: NumberWords): boolean => {
      if (isSameLanguage && isPhraseSaid(phrase, said)) return true
      const value = words.valueOf(phrase)
      if (value !== undefined) return isValueSaid(value, said)
      readings ??= new Set([...said.digits].filter(isWhole).flatMap((digits) => words.readingsOf(Number(digits))))
      return readings.has(phrase)
    }
    const phrases = ofText ? listNumberPhrases(text, ofText).filter((phrase) => !isSaidInWords(phrase, ofText)) : []
    return [...listDigits(withPlainDigits(text)).filter((number) => !isNumberSaid(number)), ...phrases]
  }
}
