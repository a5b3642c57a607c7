import type { TextModelCall } from '../text-model.ts'

const POINT = {
  type: 'object',
  properties: { text: { type: 'string' }, segment_ids: { type: 'array', items: { type: 'integer' } } },
  required: ['text', 'segment_ids'],
  additionalProperties: false,
}
const SUMMARY = {
  type: 'object',
  properties: { sentences: { type: 'array', items: POINT } },
  required: ['sentences'],
  additionalProperties: false,
}
const SUMMARIES = { type: 'array', items: SUMMARY }

/** The fake provider fills the lists that the instruction names. */
const SCHEMA = {
  type: 'object',
  properties: { tldr: SUMMARIES, detailed: SUMMARIES },
  required: ['tldr', 'detailed'],
  additionalProperties: false,
}

/** Long enough to be cached. */
const FILLER = 'Something was said. '.repeat(400)

/** A call about a document of four numbered lines that is long enough for the cache. */
export const newCall = (overrides: Partial<TextModelCall> = {}): TextModelCall => ({
  system: 'Rules.',
  document: `<transcript>\n[1] one\n[2] two\n[3] three\n[4] four\n${FILLER}</transcript>`,
  instruction: 'Write the summary "tldr".',
  schema: SCHEMA,
  cacheDocument: '5m',
  maxOutputTokens: 16_000,
  signal: new AbortController().signal,
  ...overrides,
})
