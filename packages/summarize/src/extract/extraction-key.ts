import { createHash } from 'node:crypto'
import type { PinnedTemplate } from '@subtext/contracts'

/** Everything that a filled template depends on, besides the account, which shares it with no other. */
export interface ExtractionKeyParts {
  version: string
  model: string
  transcriptId: string
  /** Number of leading cues that were read. */
  cueCount: number
  template: PinnedTemplate
  instructions: string | null
  /** As returned by `selectSummaryLanguage`. */
  language: string | null
}

/** Builds the key by which stored extractions are found. */
export function buildExtractionKey(key: ExtractionKeyParts): Buffer {
  const { version, model, transcriptId, cueCount, template, instructions, language } = key
  const { id, name, version: templateVersion } = template
  const parts = [version, model, transcriptId, cueCount, id ?? name, templateVersion, instructions, language]
  return createHash('sha256').update(JSON.stringify(parts)).digest()
}
