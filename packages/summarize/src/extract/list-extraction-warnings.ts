import type { Warning } from '@subtext/contracts'
import type { MissingReason } from './extractor.ts'

const REASONS: Record<Exclude<MissingReason, 'model-required' | 'invalid'>, string> = {
  declined: 'the language model declined to read this video',
  'too-long': 'the transcript is too long for the language model',
  unusable: 'the language model gave no usable answer',
  wordless: 'the transcript has no words',
  unavailable: 'the language model is currently unavailable',
}

/** Explains why a template is missing in a result. */
export function buildMissingWarning(name: string, reason: MissingReason): Warning {
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
