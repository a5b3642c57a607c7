import { isSameLanguage, isWrittenAlike } from '@subtext/captions'
import type { Cue } from '@subtext/contracts'
import { type ClaimCheck, checkClaim } from './check-claim.ts'
import { areClausesSaid, createClauseSplitter, type SplitClauses } from './checks/clauses.ts'
import { createNameCheck, findUnknownNames, isMostlySaid, type SelectUnsaidNames } from './checks/names.ts'
import { type Contradicts, createContradictionCheck, createTranslatedContradictionCheck } from './checks/negations.ts'
import { createNumberCheck, type NumberCheck } from './checks/numbers.ts'
import { createQuoteFinder, type FindQuoted } from './checks/quotations.ts'
import { createScriptCheck } from './checks/script.ts'
import { swapsSubjects } from './checks/subjects.ts'
import { buildTranscriptEvidence, createSegmentReader, type ReadSegment } from './evidence.ts'
import type { DetectLanguage } from './language/detect-language.ts'
import { createStemFinder, type FindStems } from './language/find-stems.ts'
import { createSentenceSplitter, type SplitSentences } from './language/split-sentences.ts'
import { buildClaimText } from './shown/build-claim-text.ts'

/** A line of the document that a sentence is based on, as the model marked it. */
export interface Mark {
  id: number
  /** Words that the line is said to contain. */
  quote: string | null
}

/** A statement of the model without its marks, and all of its marks. */
export interface Statement {
  text: string
  marks: Mark[]
}

/** A statement that may be shown, and the segments that support it. Positions count from 1. */
export interface SupportedStatement {
  text: string
  segmentIds: number[]
}

/**
 * Why a statement is not shown: it has no marks, it contains an address or a tag, the marked lines do not say it, it has a
 * name that the video does not have, the lines do not say its numbers, they do not contain the words that it quotes, or they say
 * the opposite or the same of someone else.
 */
export const DROP_REASONS = [
  'unmarked',
  'markup',
  'unsupported',
  'unknown_name',
  'unsaid_number',
  'misquoted',
  'contradicted',
] as const
export type DropReason = (typeof DROP_REASONS)[number]

export type CheckedStatement = SupportedStatement | { dropped: DropReason }
export type CheckStatement = (statement: Statement) => CheckedStatement

export interface StatementCheckOptions {
  cues: Cue[]
  /** The publisher's own words about the video, which are no evidence but may contain names. */
  published: string[]
  /** Of the transcript, BCP-47. */
  trackLanguage: string
  /** Of the answer, BCP-47. */
  language: string
  detect: DetectLanguage
  /** Returns whether a text repeats our own prompt. */
  isLeak(text: string): boolean
}

/** Addresses, links and tags: only the service creates links, and tags are not speech. */
const MARKUP = /\]\s?\(|:\/\/|\bwww\.|\b(?:javascript|data|mailto):|<\s?[/!|]?\s?[a-z]/i
const MAX_MARKS = 12
const MAX_CITATIONS = 6
const MIN_NEWS_OF_NEIGHBOR = 2
/** Captions break in the middle of sentences, and models are off by one. */
const NEIGHBORS = 2

interface Checks {
  cues: Cue[]
  read: ReadSegment
  /** Looks for names in everything in which they may appear. */
  selectUnsaid: SelectUnsaidNames
  claims: ClaimCheck
  findStems: FindStems
  numbers: NumberCheck
  splitSentences: SplitSentences
  splitClauses: SplitClauses
  contradicts: Contradicts
  language: string
  /** Returns the stems of what a segment says. */
  stemsAt(id: number): Set<string>
}

const neighborsOf = ({ cues }: Checks, ids: number[]): number[] => {
  const near = ids.flatMap((id) => Array.from({ length: 2 * NEIGHBORS + 1 }, (_, index) => id - NEIGHBORS + index))
  return [...new Set(near)].filter((id) => cues[id - 1] !== undefined && !ids.includes(id))
}

const saidAt = ({ read }: Checks, ids: number[]): string =>
  ids
    .toSorted((a, b) => a - b)
    .map(read)
    .join(' ')

/**
 * Selects the segments that say the most words of the text, among the marked ones and those beside them. Each of them says a
 * word that the others do not; one that is not marked has to say several, unless no other says any.
 */
function selectSaying(checks: Checks, text: string, ids: number[]): number[] {
  const unsaid = checks.findStems(text)
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
function isSupported(checks: Checks, text: string, segmentIds: number[]): boolean {
  const { claims, findStems, splitSentences } = checks
  const sentences = splitSentences(text)
  return (sentences.length > 1 ? [text, ...sentences] : [text]).every((sentence) => {
    const { point } = checkClaim({ text: sentence, segmentIds }, claims)
    if (!point || point.segmentIds.length === 0) return false
    if (claims.findStems === null) return true
    const evidence = claims.evidence.textOf([], segmentIds)
    return (
      isMostlySaid(sentence, evidence, findStems) &&
      areClausesSaid(checks.splitClauses(sentence), findStems(evidence), findStems)
    )
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

/** Tells whether the lines say the opposite of a text, or the same of someone else. */
function isOpposite(checks: Checks, text: string, segmentIds: number[]): boolean {
  const { claims, selectUnsaid, contradicts, splitSentences, language, findStems } = checks
  const near = claims.evidence.textOf([], segmentIds)
  const lines = saidAt(checks, segmentIds)
  return splitSentences(text).some(
    (sentence) =>
      contradicts(sentence, near) || swapsSubjects(sentence, { lines, near, selectUnsaid }, language, findStems),
  )
}

function checkAgainst(checks: Checks, text: string, segmentIds: number[]): CheckedStatement {
  if (!isSupported(checks, text, segmentIds)) return { dropped: 'unsupported' }
  const { claims, selectUnsaid, language } = checks
  if (claims.findStems && findUnknownNames(text, selectUnsaid, language).length > 0) return { dropped: 'unknown_name' }
  if (claims.findStems && isOpposite(checks, text, segmentIds)) return { dropped: 'contradicted' }
  const complete = addNumberSegments(checks, text, segmentIds)
  return complete ? { text, segmentIds: complete } : { dropped: 'unsaid_number' }
}

/**
 * Creates the check that every statement has to pass before it is shown. The lines that it marks have to exist, to share
 * words with it, more than with a claim of a summary, and to say its numbers; those that do not are not cited. Its names have
 * to appear in the video. In another language than that of the transcript, where even a correct statement shares few words,
 * each mark has to quote its line instead.
 */
export function createStatementCheck(options: StatementCheckOptions): CheckStatement {
  const { cues, published, trackLanguage, language, detect, isLeak } = options
  const selectUnsaid = createNameCheck([...published, ...cues.map((cue) => cue.text)])
  const findStems = createStemFinder(trackLanguage)
  const read = createSegmentReader(cues)
  const known = new Map<number, Set<string>>()
  const stemsAt = (id: number): Set<string> => {
    const stems = known.get(id) ?? findStems(read(id))
    known.set(id, stems)
    return stems
  }
  const createChecks = (isAlike: boolean): Checks => ({
    cues,
    read,
    selectUnsaid,
    claims: {
      evidence: buildTranscriptEvidence(cues),
      findStems: isAlike ? findStems : null,
      isLeak,
      isInScript: isAlike ? () => true : createScriptCheck(language),
    },
    findStems,
    numbers: createNumberCheck(isAlike ? trackLanguage : language, trackLanguage),
    splitSentences: createSentenceSplitter(isAlike ? trackLanguage : language),
    splitClauses: createClauseSplitter(trackLanguage),
    contradicts: createContradictionCheck(trackLanguage, findStems),
    language: isAlike ? trackLanguage : language,
    stemsAt,
  })
  const findQuoted = createQuoteFinder(cues)
  const isAlike = isWrittenAlike(trackLanguage, language)
  const [alike, translated] = [createChecks(true), createChecks(false)]
  const contradictsTranslated = createTranslatedContradictionCheck(language, trackLanguage)
  const isInTrackLanguage = (text: string): boolean => {
    const detected = detect(text)
    return detected !== null && isSameLanguage(detected, trackLanguage)
  }

  return ({ text: written, marks }) => {
    if (marks.length === 0) return { dropped: 'unmarked' }
    // Letters of full width make addresses, too.
    if (MARKUP.test(written.normalize('NFKC'))) return { dropped: 'markup' }
    const existing = marks.slice(0, MAX_MARKS).filter(({ id }) => cues[id - 1] !== undefined)
    const ids = [...new Set(existing.flatMap((mark) => resolveMark(findQuoted, mark, !isAlike)))]
    if (ids.length === 0) return { dropped: existing.length > 0 ? 'misquoted' : 'unsupported' }
    const text = buildClaimText(written, saidAt(alike, [...ids, ...neighborsOf(alike, ids)]))
    // A quotation says nothing about a statement that could be compared word by word.
    if (!isAlike && !isInTrackLanguage(text)) {
      const near = readSentences(alike, ids)
      const quotes = existing.flatMap(({ quote }) => quote ?? [])
      return contradictsTranslated(text, near, quotes)
        ? { dropped: 'contradicted' }
        : checkAgainst(translated, text, ids)
    }
    const saying = selectSaying(alike, text, ids)
    return saying.length === 0 ? { dropped: 'unsupported' } : checkAgainst(alike, text, saying)
  }
}

const SENTENCE_END = /[.!?։।؟。！？…]["'”’)]?\s*$/u

/** Returns what the segments say, with the ones beside them in which their sentences begin or end. */
function readSentences({ cues, read }: Checks, ids: number[]): string {
  const isOpen = (id: number): boolean => cues[id - 1] !== undefined && !SENTENCE_END.test(cues[id - 1]?.text ?? '')
  const all = ids.flatMap((id) => [...(isOpen(id - 1) ? [id - 1] : []), id, ...(isOpen(id) ? [id + 1] : [])])
  return [...new Set(all)]
    .sort((a, b) => a - b)
    .map(read)
    .join(' ')
}

/** Returns the segments of a mark: none if they do not contain the words that the mark quotes, or has to quote. */
function resolveMark(findQuoted: FindQuoted, { id, quote }: Mark, needsQuote: boolean): number[] {
  if (quote === null) return needsQuote ? [] : [id]
  return findQuoted(id, quote)
}
