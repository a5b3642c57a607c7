import { isWrittenAlike } from '@subtext/captions'
import type { Cue, InfographicFigure, SummaryPoint } from '@subtext/contracts'
import {
  buildNotesEvidence,
  type Check,
  checkClaim,
  createClaimChecks,
  createStemFinder,
  type Note,
  nameUnits,
} from '@subtext/evidence'
import type { InfographicForm } from '../prompts/infographic.ts'
import { createFigureCheck } from './check-figure.ts'

export interface FormCheck {
  cues: Cue[]
  notes: Note[]
  /** Of the transcript, and of the infographic (BCP-47). */
  spokenLanguage: string
  language: string
  isLeak(text: string): boolean
  isHeadingLeak(text: string): boolean
  isInScript(text: string): boolean
  /** The publisher's own words about the video, which may contain names. */
  published: readonly string[]
}

/** The part of an infographic that a model wrote. All of it has been checked. */
export interface CheckedForm {
  headline: string | null
  claims: SummaryPoint[]
  figures: InfographicFigure[]
  isChart: boolean
}

export const MAX_HEADLINE = 60
export const MAX_CLAIMS = 5
export const MIN_CLAIMS = 3
const MAX_CLAIM = 180
const MAX_FIGURES = 6
const MIN_BARS = 3

/** Notes are in the language of the infographic, even where the transcript is in another one. */
function createFormChecks({ language, spokenLanguage, published }: FormCheck): Check[] {
  const ofLines = createClaimChecks({ language, linesLanguage: spokenLanguage, published })
  if (isWrittenAlike(language, spokenLanguage)) return ofLines
  const ofNotes = createClaimChecks({ language, linesLanguage: language, published })
  return [...ofLines, ...ofNotes.filter(({ reason }) => reason === 'contradicted')]
}

/** Checks a form. Returns null if it has too few claims that the transcript supports. */
export function checkForm(form: InfographicForm, check: FormCheck): CheckedForm | null {
  const { cues, notes, language, spokenLanguage } = check
  const findStems = createStemFinder(language)
  // Claims share their words with notes, which are in their language even if the transcript is not.
  const claimCheck = {
    ...check,
    evidence: buildNotesEvidence(cues, notes),
    findStems,
    checks: createFormChecks(check),
  }
  const checkText = (text: string, noteIds: number[]): SummaryPoint | null => {
    const { point } = checkClaim({ text, segmentIds: noteIds }, claimCheck)
    return point && point.segmentIds.length > 0 ? point : null
  }

  const claims = new Map<string, SummaryPoint>()
  const usedNotes = new Set<number>()
  for (const { text, segment_ids } of form.claims) {
    const point = checkText(text, segment_ids)
    if (!point || point.text.length > MAX_CLAIM || claims.has(point.text) || claims.size === MAX_CLAIMS) continue
    claims.set(point.text, point)
    for (const id of segment_ids) usedNotes.add(id)
  }
  if (claims.size < MIN_CLAIMS) return null

  const headline = checkText(form.headline, [...usedNotes])?.text ?? ''
  const isHeadline = headline !== '' && headline.length <= MAX_HEADLINE && !check.isHeadingLeak(headline)
  const isAllowed = (text: string): boolean => !check.isHeadingLeak(text) && check.isInScript(text)
  const checkFigure = createFigureCheck({
    cues,
    notes,
    language,
    spokenLanguage,
    findStems,
    isAllowed,
    checks: claimCheck.checks,
  })
  return {
    headline: isHeadline ? headline : null,
    claims: [...claims.values()],
    ...chooseFigures(
      form.numbers.flatMap((number) => checkFigure(number) ?? []),
      form.comparable,
    ),
  }
}

/** Chooses the figures to show: as bars if enough of them have one unit, otherwise all of them side by side. */
function chooseFigures(all: InfographicFigure[], isComparable: boolean): Pick<CheckedForm, 'figures' | 'isChart'> {
  const unique = [...new Map(all.map((figure) => [`${figure.amount} ${figure.label}`, figure])).values()]
  const unitOf = ({ unit }: InfographicFigure): string => nameUnits(unit).trim()
  const bars = unique
    .map((figure) => unique.filter((other) => unitOf(figure) !== '' && unitOf(other) === unitOf(figure)))
    .find((list) => list.length >= MIN_BARS && list.every(({ amount }) => amount > 0))
  return isComparable && bars
    ? { figures: bars.slice(0, MAX_FIGURES), isChart: true }
    : { figures: unique.slice(0, MAX_FIGURES), isChart: false }
}
