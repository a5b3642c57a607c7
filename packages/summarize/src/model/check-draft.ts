import type { SummaryContent, SummaryMode, SummaryPoint } from '@subtext/contracts'
import {
  buildClaimText,
  type Check,
  type CheckedClaim,
  type Claim,
  type ClaimCheck,
  checkClaim,
  type FindQuoted,
  type FindStems,
  findReason,
  sharesStem,
} from '@subtext/evidence'
import type { Labels } from '@subtext/render'
import type { Pace } from '../pacer.ts'
import type { ResolveLines } from '../prompts/resolve-lines.ts'
import type { Draft, DraftSection, Parsed } from './parse-answer.ts'
import { unquoteUnsaid } from './unquote.ts'

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
  /** What a heading is checked with against the points below it, which are in its language and were checked already. */
  headings: { findStems: FindStems | null; checks: readonly Check[] }
  /** Resolves citations of passages. Default: they name lines or notes. */
  resolve?: ResolveLines
  /** Finds quotations in the transcript. */
  findSaid: FindQuoted
  /** Headings that are the same in every summary; null for languages without a translation. */
  labels: Labels | null
}

const MAX_HEADING = 160

/** A heading that begins most of its words with a capital letter, so that names cannot be told. */
const CAPITALIZED = /^\p{Lu}.*\s(?:\p{Lu}\S*\s.*)?\p{Lu}/u
const FUNCTION_WORDS = 3

/** Tells whether a heading is written as English titles are: all of its longer words begin with a capital letter. */
function isTitleCase(heading: string): boolean {
  const words = heading.split(/\s+/u).filter((word) => word.length > FUNCTION_WORDS)
  return words.length > 1 && CAPITALIZED.test(heading) && words.every((word) => /^\P{Ll}/u.test(word))
}

/**
 * Returns our own heading if there is one, or else the model's, if the section below it supports it. Null: the section does not
 * say what the heading does.
 */
function checkHeading({ heading, role }: DraftSection, points: SummaryPoint[], check: DraftCheck): string | null {
  if (role && check.labels) return check.labels[role]
  const said = points.map((point) => point.text).join(' ')
  const lines = points.map((point) => check.evidence.textOf([], point.segmentIds)).join(' ')
  const plain = buildClaimText(heading, `${said} ${lines}`)
  if (plain.length > MAX_HEADING || check.isHeadingLeak(plain) || !check.isInScript(plain)) return ''
  if (role || plain === '') return plain
  const { findStems, checks } = check.headings
  // Lines in another language than the heading have no words in common with it.
  const near = check.findStems ? `${said} ${lines}` : said
  const stems = findStems?.(plain)
  const spoken = findStems?.(near)
  if (stems && spoken && stems.size > 0 && !sharesStem(stems, spoken)) return null
  // Where every word has a capital letter, a name that nobody says shows as a word that nobody says.
  const isEachSaid = (): boolean => !stems || !spoken || [...stems].every((stem) => spoken.has(stem))
  if (isTitleCase(plain)) {
    if (!isEachSaid()) return null
    return findReason(plain.toLowerCase(), { cited: near, near, sentences: near }, checks) === null ? plain : null
  }
  return findReason(plain, { cited: near, near, sentences: near }, checks) === null ? plain : null
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
      const result = checkClaim(check.resolve?.(claim) ?? claim, check)
      if (result.point) result.point.text = unquoteUnsaid(result.point.text, result.point.segmentIds, check.findSaid)
      checked.push(result)
      if (result.point) points.push(result.point)
    }
    return points
  }
  const overview = await checkAll(draft.overview)
  const sections = []
  let unsupportedHeadings = 0
  for (const section of draft.sections) {
    const points = await checkAll(section.points)
    const heading = points.length > 0 ? checkHeading(section, points, check) : ''
    if (heading === null) unsupportedHeadings++
    sections.push({ heading: heading ?? '', points })
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
      unsupportedClaims: unsupportedClaims + unsupportedHeadings,
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
