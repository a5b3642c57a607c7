import type { Warning } from '@subtext/contracts'
import type { MissingReason } from './extractor.ts'

const REASONS: Record<Exclude<MissingReason, 'model-required' | 'invalid' | 'over-limit'>, string> = {
  declined: 'the language model declined to read this video',
  'too-long': 'the transcript is too long for the language model',
  unusable: 'the language model gave no usable answer',
  wordless: 'the transcript has no words',
  unavailable: 'the language model is currently unavailable',
}

export interface MissingTemplate {
  name: string
  reason: MissingReason
}

/** Explains why templates are missing in a result. */
export function listMissingWarnings(missing: readonly MissingTemplate[]): Warning[] {
  const overLimit = missing.filter(({ reason }) => reason === 'over-limit').map(({ name }) => `\`${name}\``)
  const warnings = missing.flatMap(({ name, reason }) => (reason === 'over-limit' ? [] : [explain(name, reason)]))
  if (overLimit.length === 0) return warnings
  const message = `Not filled, because the cost would not fit into a spending limit: ${overLimit.join(', ')}.`
  return [...warnings, { code: 'COST_LIMIT_REACHED', message }]
}

function explain(name: string, reason: Exclude<MissingReason, 'over-limit'>): Warning {
  if (reason === 'model-required') {
    return { code: 'MODEL_REQUIRED', message: `\`${name}\` needs a language model, and none is configured.` }
  }
  if (reason === 'invalid') {
    const message = `The lines of the transcript do not carry what the schema of \`${name}\` requires.`
    return { code: 'EXTRACTION_INVALID', message }
  }
  return {
    code: 'SUMMARY_MODE_UNAVAILABLE',
    message: `The template \`${name}\` could not be filled: ${REASONS[reason]}.`,
  }
}
