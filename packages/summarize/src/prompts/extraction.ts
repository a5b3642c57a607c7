import { DEFAULT_MAX_PROMPT_TOKENS, type PromptLimits } from '../model/limits.ts'
import { buildEnding, type OutputOptions } from './instruction.ts'

/** Part of the cache key of extractions. Change it with the instruction, the schema of answers or the checks. */
const EXTRACTION_VERSION = '2026-11.1'

/** Returns the version of forms that are filled with prompts of this length at most; part of the cache key. */
export const buildExtractionVersion = ({ maxPromptTokens, contextTokens }: PromptLimits = {}): string =>
  [EXTRACTION_VERSION, maxPromptTokens ?? DEFAULT_MAX_PROMPT_TOKENS, contextTokens ?? ''].join('/')

/** Maximum output tokens, including the model's thinking, which counts as output. */
export const EXTRACTION_MAX_OUTPUT_TOKENS = 16_000

export interface ExtractionPrompt extends OutputOptions {
  /** Null if the whole transcript is read at once. */
  part: { number: number; total: number } | null
}

/** Builds the instruction for filling a form. */
export const buildExtractionInstruction = ({ part, ...outputOptions }: ExtractionPrompt): string =>
  [
    ...(part ? [`This is part ${part.number} of ${part.total}. Fill in the form from this part alone.`] : []),
    `Fill in a form from the transcript. The form is the given schema, and its titles and descriptions say what belongs where. Every innermost entry has:
- value: what the transcript says, in its words. If it does not say it, null, or an empty list of lines where null is not possible. Never guess, compute, round or convert.
- segment_ids: the numbers of the lines that say it, at least one for every value.
- quote, where the schema has it: three to twelve words in a row of one of these lines, in its own language, exactly as they stand there.
A list gets one entry for each thing that the transcript says, in its order, and none if there is nothing. A date is given as year-month-day, and only if the lines say all three. A value that its lines do not carry is discarded.`,
    // Forms ask for a single quotation in place of a list of citations.
    buildEnding({ ...outputOptions, isQuoting: false }),
  ].join('\n\n')

/** Asks for the answer in words, of a model that refuses the schema. */
export const withSchemaInText = (instruction: string, schema: Record<string, unknown>): string =>
  `${instruction}\n\nAnswer with one JSON object that matches this JSON Schema, and with nothing else: no introduction, no code fence, no remarks.\n${JSON.stringify(schema)}`
