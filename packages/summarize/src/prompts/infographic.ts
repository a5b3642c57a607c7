import { z } from 'zod'
import { toProviderSchema } from './answer-schema.ts'
import { buildEnding, type OutputOptions } from './instruction.ts'

/** Part of the cache key of infographics. Change it with the instruction, the schema or the checks. */
export const INFOGRAPHIC_VERSION = '2026-11.1'

const MAX_TEXT = 500
const MAX_ENTRIES = 20
const MAX_IDS = 20

const text = z.string().max(MAX_TEXT)

/** The answer of a model, as it is sent. */
export const InfographicForm = z.strictObject({
  headline: text,
  claims: z.array(z.strictObject({ text, segment_ids: z.array(z.int()).max(MAX_IDS) })).max(MAX_ENTRIES),
  numbers: z.array(z.strictObject({ value: text, unit: text, label: text, segment_id: z.int() })).max(MAX_ENTRIES),
  comparable: z.boolean(),
})
export type InfographicForm = z.infer<typeof InfographicForm>

export const INFOGRAPHIC_SCHEMA = toProviderSchema(InfographicForm)

/** Maximum output tokens, including the model's thinking, which counts as output. */
export const INFOGRAPHIC_MAX_OUTPUT_TOKENS = 6_000

/** Builds the instruction for the texts of an infographic. The document consists of notes. */
export const buildInfographicInstruction = (outputOptions: OutputOptions): string =>
  [
    `Write the texts of a picture that people share after watching: what the video says, at a glance. The notes are statements that were checked, and lines of the transcript that name numbers.
- headline: the one thing to remember, as a statement; at most 60 characters, no question, no colon, no full stop.
- claims: three to five statements, the most surprising or useful first, each understandable by itself and true as it stands; one sentence, at most 110 characters, in words of the notes. segment_ids are the numbers of the notes it rests on.
- numbers: at most six that matter, none if the notes name none. value: the number alone in digits, as the note gives it. unit: its symbol or word, such as %, kg, °C or million euros; empty for a count. label: what it measures or counts, at most 40 characters, without numbers. segment_id: the note that says it. Never compute, round or convert a number.
- comparable: true only if at least three of the numbers have the same unit and measure the same thing, so that bars of their lengths make sense.`,
    buildEnding(outputOptions),
  ].join('\n\n')
