import type { Cue, InfographicFigure } from '@subtext/contracts'
import {
  type Amount,
  buildClaimText,
  createAmountFinder,
  createSegmentReader,
  createStemFinder,
  type FindAmounts,
  type FindStems,
  type Note,
  nameUnits,
  withPlainDigits,
} from '@subtext/evidence'
import type { InfographicForm } from '../prompts/infographic.ts'

type FormNumber = InfographicForm['numbers'][number]

interface FigureCheck {
  cues: readonly Cue[]
  notes: readonly Note[]
  /** Of the transcript, and of the infographic (BCP-47). */
  spokenLanguage: string
  language: string
  /** Finds stems in the language of the infographic. */
  findStems: FindStems
  /** Returns whether a text may be shown at all. */
  isAllowed(text: string): boolean
}

const MAX_UNIT = 24
const MAX_LABEL = 60
const VALUE = /^[-−]?\d[\d.,'’\u00A0\u202F ]{0,18}$/
const MINUS = /(?:[-−]|minus|menos|moins|meno|минус|マイナス|영하|零下|माइनस|ناقص)\s?$/
const UNIT_WORD = /[\p{L}\p{M}]+/gu

/** What has to be said: the number, the unit without its scale (`million` is part of the number), and the sign. */
interface Wanted {
  values: number[]
  unitWords: string[]
  isNegative: boolean
}

function readWanted({ value, unit }: FormNumber, findAmounts: FindAmounts): Wanted | null {
  const digits = withPlainDigits(value).trim()
  const name = nameUnits(unit).trim()
  if (!VALUE.test(digits) || /\d/.test(withPlainDigits(unit)) || unit.length > MAX_UNIT) return null
  const [amount, ...others] = findAmounts(`${digits.replace(/^[-−]/, '')} ${name}`)
  if (!amount || others.length > 0) return null
  return { values: amount.values, unitWords: amount.after.match(UNIT_WORD) ?? [], isNegative: /^[-−]/.test(digits) }
}

const isSameUnit = ({ before, after }: Amount, words: readonly string[], stemsOf: FindStems): boolean => {
  const around = `${before} ${after}`
  const stems = stemsOf(around)
  return words.every((word) => around.includes(word) || [...stemsOf(word)].some((stem) => stems.has(stem)))
}

/** Returns whether a text says the number with its unit. */
function createSaying(
  language: string,
  stemsOf: FindStems,
): (text: string, wanted: Wanted, needsUnit: boolean) => boolean {
  const findAmounts = createAmountFinder(language)
  return (text, { values, unitWords, isNegative }, needsUnit) =>
    findAmounts(nameUnits(text)).some(
      (amount) =>
        amount.values.some((value) => values.includes(value)) &&
        MINUS.test(amount.before) === isNegative &&
        (!needsUnit || isSameUnit(amount, unitWords, stemsOf)),
    )
}

/**
 * Creates the check of the numbers in a form. Returns the figure with the segment that says its number and its unit, or null if
 * none of the segments behind the note does, or if the label has nothing to do with them.
 */
export function createFigureCheck(check: FigureCheck): (number: FormNumber) => InfographicFigure | null {
  const { cues, notes, language, spokenLanguage } = check
  const findAmounts = createAmountFinder(language)
  const stemsOf = check.findStems
  const isSpoken = createSaying(
    spokenLanguage,
    spokenLanguage === language ? stemsOf : createStemFinder(spokenLanguage),
  )
  const isWritten = createSaying(language, stemsOf)
  const textOf = createSegmentReader(cues)

  /** A number that a caption breaks off is said where it begins. */
  const isSaidAt = (segmentId: number, wanted: Wanted, needsUnit: boolean): boolean => {
    const [own, next] = [textOf(segmentId), textOf(segmentId + 1)]
    if (!isSpoken(`${own} ${next}`, wanted, needsUnit)) return false
    return isSpoken(own, wanted, false) || !isSpoken(next, wanted, false)
  }
  return (number) => {
    const note = notes[number.segment_id - 1]
    const wanted = readWanted(number, findAmounts)
    if (!note || !wanted) return null
    // In another language, the checked claim may name the unit in place of the transcript.
    const isUnitWritten = isWritten(note.text, wanted, true)
    const segmentId = note.segmentIds.find((id) => isSaidAt(id, wanted, !isUnitWritten))
    if (segmentId === undefined) return null
    const said = `${note.text} ${[segmentId - 1, segmentId, segmentId + 1].map(textOf).join(' ')}`
    const label = buildClaimText(number.label, said)
    const unit = buildClaimText(number.unit, said)
    if (label === '' || label.length > MAX_LABEL || findAmounts(label).some(({ isWeak }) => !isWeak)) return null
    if (!check.isAllowed(label) || unit !== number.unit.trim()) return null
    const spoken = stemsOf(said)
    if (![...stemsOf(label)].some((stem) => spoken.has(stem))) return null
    const amount = wanted.values[0] ?? 0
    return {
      value: withPlainDigits(number.value).trim(),
      unit,
      label,
      amount: wanted.isNegative ? -amount : amount,
      segmentId,
    }
  }
}
