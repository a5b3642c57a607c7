import { createHash } from 'node:crypto'
import { satisfiesLanguage } from '@subtext/captions'
import type { SummaryMode } from '@subtext/contracts'

/** Everything that a summary depends on. */
export interface SummaryKeyParts {
  /** The only account that may reuse the summary. Null if all accounts may. */
  account: string | null
  transcriptId: string
  /** Number of leading cues that are summarized. */
  cueCount: number
  /** `all`: the key of writing summaries of the transcript, whatever their modes. */
  mode: SummaryMode | 'all'
  instructions: string | null
  model: string
  promptVersion: string
  /** As returned by `selectSummaryLanguage`. */
  language: string | null
}

/** Builds the key by which stored summaries are found. */
export function buildSummaryKey(key: SummaryKeyParts): Buffer {
  const { account, transcriptId, cueCount, mode, instructions, model, promptVersion, language } = key
  const parts = [transcriptId, cueCount, mode, instructions, model, promptVersion, language]
  return createHash('sha256')
    .update(JSON.stringify(account === null ? parts : [...parts, account]))
    .digest()
}

/** Returns the language of the summaries, or null if it is the language of the transcript. */
export function selectSummaryLanguage(
  wanted: string | undefined,
  trackLanguage: string,
  { canTranslate }: { canTranslate: boolean },
): string | null {
  return !canTranslate || wanted === undefined || satisfiesLanguage(wanted, trackLanguage) ? null : wanted
}
