import type { Cue, InfographicFigure } from '@subtext/contracts'
import {
  type AmountToSay,
  buildClaimText,
  type Check,
  createAmountFinder,
  createAmountSearch,
  createSegmentReader,
  createStemFinder,
  type FindStems,
  findReason,
  type Note,
  readAmount,
  sharesStem,
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
  /** What a label has to pass besides sharing words with its segment. */
  checks: readonly Check[]
  /** Returns whether a text may be shown at all. */
  isAllowed(text: string): boolean
}

const MAX_UNIT = 24
const MAX_LABEL = 60

/**
 * Creates the check of the numbers in a form. Returns the figure with the segment that says its number and its unit, or null if
 * none of the segments behind the note does, or if the label has nothing to do with them.
 */
export function createFigureCheck(check: FigureCheck): (number: FormNumber) => InfographicFigure | null {
  const { cues, notes, language, spokenLanguage } = check
  const findAmounts = createAmountFinder(language)
  const stemsOf = check.findStems
  const isSpoken = createAmountSearch(
    spokenLanguage,
    spokenLanguage === language ? stemsOf : createStemFinder(spokenLanguage),
  )
  const isWritten = createAmountSearch(language, stemsOf)
  const textOf = createSegmentReader(cues)

  /** A number that a caption breaks off is said where it begins. */
  const isSaidAt = (segmentId: number, wanted: AmountToSay, needsUnit: boolean): boolean => {
    const [own, next] = [textOf(segmentId), textOf(segmentId + 1)]
    if (!isSpoken(`${own} ${next}`, wanted, needsUnit)) return false
    return isSpoken(own, wanted, false) || !isSpoken(next, wanted, false)
  }
  return (number) => {
    const note = notes[number.segment_id - 1]
    const wanted = number.unit.length > MAX_UNIT ? null : readAmount(number.value, number.unit, findAmounts)
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
    if (!sharesStem(stemsOf(label), spoken)) return null
    if (findReason(label, { cited: said, near: said, sentences: said }, check.checks) !== null) return null
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
