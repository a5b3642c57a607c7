import type { SummaryContent, SummaryMode, SummaryPoint } from '@subtext/contracts'
import {
  buildClaimText,
  type CheckedClaim,
  type Claim,
  type ClaimCheck,
  checkClaim,
  sharesStem,
} from '@subtext/evidence'
import type { Labels } from '@subtext/render'
import type { Pace } from '../pacer.ts'
import type { Draft, DraftSection, Parsed } from './parse-answer.ts'

/** A summary whose every part was checked, with the results of the check. */
export interface CheckedDraft {
  content: SummaryContent
  citations: number
  supportedCitations: number
  unsupportedClaims: number
}

/** What the claims and headings of a draft are checked against. */
export interface DraftCheck extends ClaimCheck {
  /** Works like `isLeak` for the few words of a heading. */
  isHeadingLeak(text: string): boolean
  /** Headings that are the same in every summary; null for languages without a translation. */
  labels: Labels | null
}

const MAX_HEADING = 160

/** Returns our own heading if there is one, or else the model's, if it shares words with the section below it. */
function checkHeading({ heading, role }: DraftSection, points: SummaryPoint[], check: DraftCheck): string {
  if (role && check.labels) return check.labels[role]
  const below = points.flatMap((point) => [point.text, check.evidence.textOf([], point.segmentIds)]).join(' ')
  const plain = buildClaimText(heading, below)
  if (plain.length > MAX_HEADING || check.isHeadingLeak(plain) || !check.isInScript(plain)) return ''
  if (!check.findStems || role) return plain
  const spoken = check.findStems(below)
  return sharesStem(check.findStems(plain), spoken) ? plain : ''
}

/** Returns whether the essential part of the mode is present. */
function isFilled(mode: SummaryMode, { overview, sections }: SummaryContent): boolean {
  switch (mode) {
    case 'tldr':
      return overview.length > 0
    case 'timestamped':
    case 'detailed':
    case 'study_notes':
    case 'key_insights':
      return sections.length > 0
  }
}

/** Minimum share of its claims that must remain for a draft to count as a summary. */
const MIN_SHARE_LEFT = 0.5

/** Checks every claim of a draft. The fault is `empty` or `unsupported`. */
export async function checkDraft(
  mode: SummaryMode,
  draft: Draft,
  check: DraftCheck,
  pace: Pace,
): Promise<Parsed<CheckedDraft>> {
  const checked: CheckedClaim[] = []
  const checkAll = async (claims: Claim[]): Promise<SummaryPoint[]> => {
    const points: SummaryPoint[] = []
    for (const claim of claims) {
      await pace()
      const result = checkClaim(claim, check)
      // A moment without a time is dropped.
      if (mode === 'timestamped' && result.point?.segmentIds.length === 0) result.point = null
      checked.push(result)
      if (result.point) points.push(result.point)
    }
    return points
  }
  const overview = await checkAll(draft.overview)
  const sections = []
  for (const section of draft.sections) {
    const points = await checkAll(section.points)
    sections.push({ heading: checkHeading(section, points, check), points })
  }
  const content = { overview, sections: sections.filter(({ points }) => points.length > 0) }
  const left = checked.filter(({ point }) => point !== null).length
  const unsupportedClaims = checked.filter(({ isUnsupported }) => isUnsupported).length
  if (!isFilled(mode, content) || left < checked.length * MIN_SHARE_LEFT) {
    return { fault: unsupportedClaims > 0 ? 'unsupported' : 'empty' }
  }
  return {
    value: {
      content: mode === 'timestamped' ? orderMoments(content) : content,
      citations: checked.reduce((sum, { citations }) => sum + citations, 0),
      supportedCitations: checked.reduce((sum, { supportedCitations }) => sum + supportedCitations, 0),
      unsupportedClaims,
    },
  }
}

/** Sorts moments in the order of the video. */
const orderMoments = (content: SummaryContent): SummaryContent => ({
  ...content,
  sections: content.sections.map((section) => ({
    ...section,
    points: section.points.toSorted((a, b) => (a.segmentIds[0] ?? 0) - (b.segmentIds[0] ?? 0)),
  })),
})
