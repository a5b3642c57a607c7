import { createHash } from 'node:crypto'

/** Everything that the content of an infographic depends on. */
export interface InfographicKeyParts {
  version: string
  model: string
  transcriptId: string
  /** Number of leading cues that were summarized. */
  cueCount: number
  instructions: string | null
  /** As returned by `selectSummaryLanguage`. */
  language: string | null
  /** In the order of `SUMMARY_MODES`. */
  summaryIds: readonly string[]
}

/** Builds the key by which stored infographics are found. */
export function buildInfographicKey(key: InfographicKeyParts): Buffer {
  const { version, model, transcriptId, cueCount, instructions, language, summaryIds } = key
  const parts = [version, model, transcriptId, cueCount, instructions, language, summaryIds]
  return createHash('sha256').update(JSON.stringify(parts)).digest()
}
