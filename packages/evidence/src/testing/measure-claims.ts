import type { Cue } from '@subtext/contracts'
import { type ClaimCheck, checkClaim } from '../check-claim.ts'
import { createQuoteFinder } from '../checks/quotations.ts'
import type { Claim } from '../claim.ts'
import { createClaimChecks } from '../create-claim-checks.ts'
import { buildTranscriptEvidence } from '../evidence.ts'
import { createStemFinder } from '../language/find-stems.ts'
import { type AlteredClaim, alterClaim } from './alter-claims.ts'

/** What was said in a video, a sentence to an entry. */
export interface SpokenText {
  language: string
  sentences: readonly string[]
  /** Names in the sentences; by default, all words with a capital letter that do not begin one. */
  names?: readonly string[]
  /** The sentence (from 0), and the same in other words. */
  paraphrases?: readonly [sentence: number, text: string][]
}

export type ClaimKind = AlteredClaim['kind'] | 'true'

/** Claims of one kind, and those that were judged wrongly: true ones that were lost, altered ones that were shown. */
export interface ClaimCount {
  checked: number
  wrong: string[]
}
export type ClaimCounts = Record<ClaimKind, ClaimCount>

export const newCounts = (): ClaimCounts => ({
  true: { checked: 0, wrong: [] },
  number: { checked: 0, wrong: [] },
  reversal: { checked: 0, wrong: [] },
  name: { checked: 0, wrong: [] },
})

const LINE = /(?:\S+\s*){1,9}/gu
const LINE_UNSPACED = /[^、。，！？]{1,18}[、。，！？]?/gu
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}]/u
const PUNCTUATION = /[,.;:!?"“”()¿¡、。，！？]+(?=\s|$)/gu

const listDigits = (text: string): string => (text.match(/\d+/g) ?? []).join(' ')

/** Cuts sentences into captions, as people write them or, in lower case without punctuation, as they are recognized. */
function toCues(sentences: readonly string[], isAutomatic: boolean): { cues: Cue[]; ids: number[][] } {
  const cues: Cue[] = []
  const ids = sentences.map((sentence) => {
    const lines = sentence.match(UNSPACED.test(sentence) ? LINE_UNSPACED : LINE) ?? []
    return lines.map((line) => {
      const text = isAutomatic ? line.toLowerCase().replace(PUNCTUATION, '') : line
      return cues.push({ startMs: cues.length * 3_000, durationMs: 2_900, text: text.trim() })
    })
  })
  return { cues, ids }
}

/** Adds whether a claim was judged wrongly: a true one that was lost, an altered one that was shown. */
function countClaim(counts: ClaimCounts, kind: ClaimKind, claim: Claim, check: ClaimCheck): void {
  const { point } = checkClaim(claim, check)
  // A time that nobody says is taken out of a claim that may be shown without it.
  const isShown = point !== null && (kind !== 'number' || listDigits(point.text) === listDigits(claim.text))
  counts[kind].checked++
  if (isShown !== (kind === 'true')) counts[kind].wrong.push(claim.text)
}

/**
 * Checks every sentence of a text, its paraphrases, and all alterations of both against the lines that say it. Adds the claims
 * to `counts`.
 */
export function measureClaims(text: SpokenText, counts: ClaimCounts): void {
  const { language, sentences, names, paraphrases = [] } = text
  for (const isAutomatic of [false, true]) {
    const { cues, ids } = toCues(sentences, isAutomatic)
    const check: ClaimCheck = {
      evidence: buildTranscriptEvidence(cues),
      findStems: createStemFinder(language),
      isLeak: () => false,
      isInScript: () => true,
      checks: createClaimChecks({ language, linesLanguage: language, published: [] }),
    }
    const claims = [...sentences.entries(), ...paraphrases]
    for (const [index, claim] of claims) {
      const segmentIds = ids[index] ?? []
      countClaim(counts, 'true', { text: claim, segmentIds }, check)
      const own = names?.filter((name) => claim.includes(name) && !claim.startsWith(name))
      for (const { kind, text: altered } of alterClaim(claim, language, own)) {
        countClaim(counts, kind, { text: altered, segmentIds }, check)
      }
    }
  }
}

/**
 * Checks the translation of every sentence of a text, and all alterations of it, against the lines that say the sentence, with
 * these lines as quotations. `translation`: the same sentences in the same order. Adds the claims to `counts`.
 */
export function measureTranslations(text: SpokenText, translation: SpokenText, counts: ClaimCounts): void {
  const { language } = translation
  for (const isAutomatic of [false, true]) {
    const { cues, ids } = toCues(text.sentences, isAutomatic)
    const check: ClaimCheck = {
      evidence: buildTranscriptEvidence(cues),
      findStems: null,
      findQuoted: createQuoteFinder(cues),
      isLeak: () => false,
      isInScript: () => true,
      checks: createClaimChecks({ language, linesLanguage: text.language, published: [] }),
    }
    for (const [index, claim] of translation.sentences.entries()) {
      const segmentIds = ids[index] ?? []
      const quotes = segmentIds.map((id) => cues[id - 1]?.text ?? null)
      countClaim(counts, 'true', { text: claim, segmentIds, quotes }, check)
      const own = translation.names?.filter((name) => claim.includes(name) && !claim.startsWith(name))
      for (const { kind, text: altered } of alterClaim(claim, language, own)) {
        countClaim(counts, kind, { text: altered, segmentIds, quotes }, check)
      }
    }
  }
}
