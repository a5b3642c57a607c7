import { type Cue, type ExtractionEvidence, type FormSchema, kindOf } from '@subtext/contracts'
import {
  type Claim,
  type ClaimCheck,
  checkClaim,
  cutQuotation,
  type FindPassage,
  type FindQuoted,
  type ValueChecks,
} from '@subtext/evidence'
import { unquoteUnsaid } from '../model/unquote.ts'
import { needsQuote } from './answer-schema.ts'
import { type Leaf, UNSUPPORTED } from './tree.ts'

/** What the values of an answer are checked with. */
export interface LeafCheck {
  cues: readonly Cue[]
  claim: ClaimCheck
  values: ValueChecks
  /** Resolves citations of passages to their lines. */
  resolve(claim: Claim): Claim
  findPassage: FindPassage
  findQuoted: FindQuoted
  /** Whether texts are in another language than the lines. */
  isQuoting: boolean
}

/** A value as a model wrote it. */
export interface WrittenLeaf {
  value: string | number | boolean
  segmentIds: number[]
  quote: string | null
}

/** Lines that a number or a date may run over. */
const MAX_WINDOW = 3
/** A text of so few words states its words; each has to be said. */
const MAX_WORDS_OF_SHORT = 3
const MAX_QUOTE = 500
const DIGITS = /^[-−]?\d+(?:\.\d+)?$/
const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/

/** Returns a value in the type of the form, or null if it is not of that type. */
export function toType(form: FormSchema, value: unknown): WrittenLeaf['value'] | null {
  const typed = convert(form, value)
  return typed === null || (form.enum && !form.enum.includes(typed)) ? null : typed
}

function convert(form: FormSchema, value: unknown): WrittenLeaf['value'] | null {
  switch (kindOf(form)) {
    case 'string':
      return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null
    case 'boolean':
      return typeof value === 'boolean' ? value : null
    case 'integer':
    case 'number': {
      const number = typeof value === 'string' && DIGITS.test(value) ? Number(value.replace('−', '-')) : value
      const isNumber = typeof number === 'number' && Number.isFinite(number)
      return isNumber && (kindOf(form) === 'number' || Number.isSafeInteger(number)) ? number : null
    }
    default:
      return null
  }
}

/** Checks that the lines which a value names carry it. */
export function checkLeaf(form: FormSchema, written: WrittenLeaf, check: LeafCheck): Leaf {
  const value = toType(form, written.value)
  if (value === null) return UNSUPPORTED
  const segmentIds = [...new Set(written.segmentIds)].filter((id) => check.claim.evidence.segmentsOf(id).length > 0)
  const leaf = { ...written, segmentIds }
  if (segmentIds.length === 0) return UNSUPPORTED
  if (needsQuote(form, false)) return checkChoice(form, value, leaf, check)
  if (typeof value === 'number') return checkSaid(value, leaf, check, (lines) => check.values.saysNumber(lines, value))
  if (form.format === 'date') return checkDate(String(value), leaf, check)
  return checkText(String(value), leaf, check)
}

function isDate(value: string): boolean {
  const date = new Date(`${value}T00:00:00Z`)
  // JavaScript takes 31 April for 1 May.
  return ISO_DATE.test(value) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value)
}

function checkDate(value: string, leaf: WrittenLeaf, check: LeafCheck): Leaf {
  return isDate(value) ? checkSaid(value, leaf, check, (lines) => check.values.saysDate(lines, value)) : UNSUPPORTED
}

const readLines = (ids: readonly number[], { cues }: LeafCheck): string =>
  ids.map((id) => cues[id - 1]?.text ?? '').join(' ')

/** Returns the shortest run of lines, in the passages that are cited, which says something. */
function findLines(leaf: WrittenLeaf, check: LeafCheck, says: (lines: string) => boolean): number[] | null {
  const passages = leaf.segmentIds.map((id) => [id, ...check.findPassage(id).filter((other) => other !== id)])
  for (let size = 1; size <= MAX_WINDOW; size++) {
    for (const passage of passages) {
      const [cited] = passage
      const ordered = size === 1 ? passage : passage.toSorted((a, b) => a - b)
      for (let from = 0; from + size <= ordered.length; from++) {
        const lines = ordered.slice(from, from + size)
        if (cited !== undefined && says(readLines(lines, check))) return lines
      }
    }
  }
  return null
}

function checkSaid(
  value: string | number,
  leaf: WrittenLeaf,
  check: LeafCheck,
  says: (lines: string) => boolean,
): Leaf {
  const lines = findLines(leaf, check, says)
  return lines ? { kind: 'leaf', state: 'carried', value, evidence: buildEvidence(lines, check) } : UNSUPPORTED
}

/** Checks a value of a list of them, or one of two, by a quotation. */
function checkChoice(form: FormSchema, value: WrittenLeaf['value'], leaf: WrittenLeaf, check: LeafCheck): Leaf {
  const { quote } = leaf
  if (quote === null) return UNSUPPORTED
  const lines = findQuotedLines(leaf.segmentIds, quote, check)
  if (lines.length === 0) return UNSUPPORTED
  const said = `${readLines(lines, check)} ${readLines(leaf.segmentIds, check)}`
  const says = (each: unknown): boolean => {
    if (typeof each === 'number') return check.values.saysNumber(said, each)
    return typeof each === 'string' && check.values.saysWords(said, each)
  }
  const others = (form.enum ?? []).filter((other) => other !== value && other !== null)
  if (others.some(says) && !says(value)) return UNSUPPORTED
  return { kind: 'leaf', state: 'carried', value, evidence: buildEvidence(lines, check, quote) }
}

function findQuotedLines(segmentIds: readonly number[], quote: string, check: LeafCheck): number[] {
  const candidates = segmentIds.flatMap((id) => [id, ...check.findPassage(id)])
  for (const id of candidates) {
    const found = check.findQuoted(id, quote)
    if (found.length > 0) return found
  }
  return []
}

function checkText(value: string, { segmentIds, quote }: WrittenLeaf, check: LeafCheck): Leaf {
  const { claim: checks, isQuoting } = check
  if (isQuoting && quote === null) return UNSUPPORTED
  const written = { text: value, segmentIds, ...(isQuoting && { quotes: segmentIds.map(() => quote) }) }
  const { point } = checkClaim(check.resolve(written), checks)
  if (!point || point.segmentIds.length === 0) return UNSUPPORTED
  const text = unquoteUnsaid(point.text, point.segmentIds, check.findQuoted)
  const isShort = (checks.findStems?.(text).size ?? Number.POSITIVE_INFINITY) <= MAX_WORDS_OF_SHORT
  if (isShort && !check.values.saysWords(checks.evidence.linesOf(point.segmentIds).near, text)) return UNSUPPORTED
  return {
    kind: 'leaf',
    state: 'carried',
    value: text,
    evidence: buildEvidence(point.segmentIds, check, isQuoting ? quote : null),
  }
}

/** Checks a quotation: its words are said in a row. It is shown as the lines have it. */
export function checkQuotation({ value, segmentIds }: WrittenLeaf, check: LeafCheck): Leaf {
  const quote = String(value)
  const known = segmentIds.filter((id) => check.claim.evidence.segmentsOf(id).length > 0)
  const lines = findQuotedLines(known, quote, check)
  const said = cutQuotation(readLines(lines, check), quote)
  if (lines.length === 0 || said === null) return UNSUPPORTED
  return { kind: 'leaf', state: 'carried', value: said, evidence: buildEvidence(lines, check, quote) }
}

/** Returns evidence with the words that were quoted or, where nothing was, with the whole line. */
function buildEvidence(
  segmentIds: readonly number[],
  { cues }: LeafCheck,
  quote: string | null = null,
): ExtractionEvidence[] {
  return segmentIds.flatMap((segmentId) => {
    const cue = cues[segmentId - 1]
    if (!cue) return []
    const cut = quote === null ? null : cutQuotation(cue.text, quote)
    return [{ segmentId, startMs: cue.startMs, quote: cut ?? cue.text.slice(0, MAX_QUOTE).toWellFormed() }]
  })
}
