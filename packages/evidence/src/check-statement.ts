import { isSameLanguage, isWrittenAlike } from '@subtext/captions'
import type { Cue } from '@subtext/contracts'
import { type ClaimCheck, checkClaim } from './check-claim.ts'
import { type Check, checkSentences, findReason, type Reason } from './checks/check.ts'
import { createClauseCheck } from './checks/clauses.ts'
import { createNumberCheck, type NumberCheck } from './checks/numbers.ts'
import { createQuoteFinder, resolveCitation } from './checks/quotations.ts'
import { createScriptCheck } from './checks/script.ts'
import { createSubjectCheck } from './checks/subjects.ts'
import { createTranslatedNumberCheck } from './checks/translated-numbers.ts'
import { createWordCheck } from './checks/words.ts'
import { type Claim, listCitations } from './claim.ts'
import { createClaimChecks } from './create-claim-checks.ts'
import { buildTranscriptEvidence, type Evidence, NEIGHBORS } from './evidence.ts'
import type { DetectLanguage } from './language/detect-language.ts'
import { createStemFinder, type FindStems } from './language/find-stems.ts'
import { createSentenceSplitter, type SplitSentences } from './language/split-sentences.ts'
import {
  buildPassageEvidence,
  createPassageFinder,
  type EvidencePassage,
  type FindPassage,
} from './passage-evidence.ts'
import { buildClaimText } from './shown/build-claim-text.ts'

/** A statement that may be shown, and the segments that support it. Positions count from 1. */
export interface SupportedStatement {
  text: string
  segmentIds: number[]
}

export type CheckedStatement = SupportedStatement | { dropped: Reason }
export type CheckStatement = (statement: Claim) => CheckedStatement

export interface StatementCheckOptions {
  cues: Cue[]
  /** The publisher's own words about the video, which are no evidence but may contain names. */
  published: string[]
  /** The passages of the document that the answer cites. Default: each line is one. */
  passages?: readonly EvidencePassage[]
  /** Of the transcript, BCP-47. */
  trackLanguage: string
  /** Of the answer, BCP-47. */
  language: string
  detect: DetectLanguage
  /** Returns whether a text repeats our own prompt. */
  isLeak(text: string): boolean
}

const MAX_CITATIONS_READ = 12
const MAX_CITATIONS = 6
const MIN_NEWS_OF_NEIGHBOR = 2

interface Checks {
  cues: Cue[]
  /** Returns the lines that are cited together with one. */
  findPassage: FindPassage
  evidence: Evidence
  claims: Omit<ClaimCheck, 'evidence'>
  findStems: FindStems
  numbers: NumberCheck
  splitSentences: SplitSentences
  /** What each sentence has to pass before the whole text is checked. */
  ofSentences: Check[]
  ofText: Check[]
  /** Returns the stems of what a segment says. */
  stemsAt(id: number): ReadonlySet<string>
}

const neighborsOf = ({ cues, findPassage }: Checks, ids: number[]): number[] => {
  const near = ids.flatMap((id) => [
    ...Array.from({ length: 2 * NEIGHBORS + 1 }, (_, index) => id - NEIGHBORS + index),
    ...findPassage(id),
  ])
  return [...new Set(near)].filter((id) => cues[id - 1] !== undefined && !ids.includes(id))
}

const saidAt = ({ evidence }: Checks, ids: number[]): string =>
  ids
    .toSorted((a, b) => a - b)
    .map(evidence.read)
    .join(' ')

/**
 * Selects the segments that say the most words of the text, among the marked ones and those beside them. Each of them says a
 * word that the others do not; one that is not marked has to say several, unless no other says any.
 */
function selectSaying(checks: Checks, text: string, ids: number[]): number[] {
  const unsaid = new Set(checks.findStems(text))
  const candidates = [...ids, ...neighborsOf(checks, ids)].map((id) => {
    const spoken = checks.stemsAt(id)
    return {
      id,
      minNews: ids.includes(id) ? 1 : MIN_NEWS_OF_NEIGHBOR,
      shared: [...unsaid].filter((stem) => spoken.has(stem)),
    }
  })
  const selected: number[] = []
  while (selected.length < MAX_CITATIONS) {
    const rated = candidates.map(({ id, minNews, shared }) => {
      const news = shared.filter((stem) => unsaid.has(stem)).length
      return { id, shared, news: selected.length > 0 && news < minNews ? 0 : news }
    })
    const best = rated.reduce((a, b) => (b.news > a.news ? b : a), { id: 0, shared: [] as string[], news: 0 })
    if (best.news === 0) break
    selected.push(best.id)
    for (const stem of best.shared) unsaid.delete(stem)
  }
  return selected.toSorted((a, b) => a - b)
}

/** Returns whether the segments support every sentence of the text; support for one sentence does not cover the next one. */
function isSupported({ evidence, claims, splitSentences, ofSentences }: Checks, text: string, ids: number[]): boolean {
  const sentences = splitSentences(text)
  const lines = evidence.linesOf(ids)
  return (sentences.length > 1 ? [text, ...sentences] : [text]).every((sentence) => {
    const { point } = checkClaim({ text: sentence, segmentIds: ids }, { ...claims, evidence })
    return point !== null && point.segmentIds.length > 0 && findReason(sentence, lines, ofSentences) === null
  })
}

/** Adds neighboring segments that say the numbers missing from the given ones. Returns null if no neighbor says them. */
function addNumberSegments(checks: Checks, text: string, ids: number[]): number[] | null {
  const { numbers } = checks
  const segmentIds = [...ids]
  let unsaid = numbers.selectUnsaid(numbers.listNumbers(text), saidAt(checks, ids))
  for (const near of unsaid.length > 0 ? neighborsOf(checks, ids) : []) {
    // A line may break in the middle of a number.
    const around = [near - 1, near, near + 1].filter((id) => id === near || segmentIds.includes(id))
    const left = numbers.selectUnsaid(unsaid, saidAt(checks, around))
    if (left.length === unsaid.length) continue
    segmentIds.push(near)
    unsaid = left
  }
  return unsaid.length > 0 ? null : segmentIds.toSorted((a, b) => a - b)
}

function checkAgainst(checks: Checks, text: string, segmentIds: number[], quotes: string[] = []): CheckedStatement {
  if (!isSupported(checks, text, segmentIds)) return { dropped: 'unsupported' }
  const reason = findReason(text, { ...checks.evidence.linesOf(segmentIds), quotes }, checks.ofText)
  if (reason !== null) return { dropped: reason }
  const complete = addNumberSegments(checks, text, segmentIds)
  return complete ? { text, segmentIds: complete } : { dropped: checks.numbers.reason }
}

type SharedChecks = Pick<Checks, 'cues' | 'evidence' | 'findPassage' | 'findStems' | 'stemsAt'>

/** Creates the checks of statements in the language of the transcript. */
function createAlikeChecks(shared: SharedChecks, { published, trackLanguage, isLeak }: StatementCheckOptions): Checks {
  const { findStems } = shared
  const splitSentences = createSentenceSplitter(trackLanguage)
  return {
    ...shared,
    claims: { findStems, isLeak, isInScript: () => true, checks: [] },
    numbers: createNumberCheck(trackLanguage, trackLanguage),
    splitSentences,
    ofSentences: [createWordCheck(findStems), createClauseCheck(trackLanguage, findStems)],
    ofText: [
      ...createClaimChecks({ language: trackLanguage, linesLanguage: trackLanguage, published }),
      checkSentences(createSubjectCheck(trackLanguage, findStems), splitSentences),
    ],
  }
}

/** Creates the checks of statements in another language, whose words cannot be compared with those of the transcript. */
function createTranslatedChecks(
  shared: SharedChecks,
  { passages = [], language, trackLanguage, published, isLeak }: StatementCheckOptions,
): Checks {
  const findPassage = createPassageFinder(passages)
  return {
    ...shared,
    evidence: buildPassageEvidence(shared.evidence, findPassage),
    findPassage,
    claims: { findStems: null, isLeak, isInScript: createScriptCheck(language), checks: [] },
    numbers: createTranslatedNumberCheck(language, trackLanguage),
    splitSentences: createSentenceSplitter(language),
    ofSentences: [],
    ofText: createClaimChecks({ language, linesLanguage: trackLanguage, published }),
  }
}

/**
 * Creates the check that every sentence of an answer has to pass before it is shown. The lines that it cites have to exist, to
 * share words with it, more than with a claim of a summary, and to say its numbers; those that do not are not cited. It has to
 * pass all checks of a claim, and must not give to one person what its lines give to another. In another language than that of
 * the transcript, where even a correct statement shares few words, each citation has to quote its line instead.
 */
export function createStatementCheck(options: StatementCheckOptions): CheckStatement {
  const { cues, trackLanguage, language, detect } = options
  const findStems = createStemFinder(trackLanguage)
  const evidence = buildTranscriptEvidence(cues)
  const known = new Map<number, ReadonlySet<string>>()
  const stemsAt = (id: number): ReadonlySet<string> => {
    const stems = known.get(id) ?? findStems(evidence.read(id))
    known.set(id, stems)
    return stems
  }
  const shared = { cues, evidence, findPassage: (id: number) => [id], findStems, stemsAt }
  const alike = createAlikeChecks(shared, options)
  const translated = createTranslatedChecks(shared, options)
  const findQuoted = createQuoteFinder(cues)
  const isAlike = isWrittenAlike(trackLanguage, language)
  const isInTrackLanguage = (text: string): boolean => {
    const detected = detect(text)
    return detected !== null && isSameLanguage(detected, trackLanguage)
  }

  return (claim) => {
    const existing = listCitations(claim)
      .slice(0, MAX_CITATIONS_READ)
      .filter(({ id }) => cues[id - 1] !== undefined)
    const ids = [...new Set(existing.flatMap((citation) => resolveCitation(citation, findQuoted, !isAlike)))]
    if (ids.length === 0) return { dropped: existing.length > 0 ? 'misquoted' : 'unsupported' }
    const text = buildClaimText(claim.text, saidAt(alike, [...ids, ...neighborsOf(alike, ids)]))
    // A quotation says nothing about a statement that could be compared word by word.
    if (!isAlike && !isInTrackLanguage(text)) {
      const quotes = existing.flatMap(({ quote }) => quote ?? [])
      return checkAgainst(translated, text, ids, quotes)
    }
    const saying = selectSaying(alike, text, ids)
    return saying.length === 0 ? { dropped: 'unsupported' } : checkAgainst(alike, text, saying)
  }
}
