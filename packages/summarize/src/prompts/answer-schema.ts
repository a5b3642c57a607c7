import { SUMMARY_MODES, type SummaryMode } from '@subtext/contracts'
import { z } from 'zod'

const MAX_TEXT = 2_000
const MAX_HEADING = 300
const MAX_IDS = 100
const MAX_ENTRIES = 400

const text = z.string().min(1).max(MAX_TEXT)
const heading = z.string().min(1).max(MAX_HEADING)
const segment_ids = z.array(z.int()).max(MAX_IDS).describe('Numbers of the lines it rests on, ascending.')
const list = <S extends z.ZodType>(entry: S) => z.array(entry).max(MAX_ENTRIES)

const Point = z.strictObject({ text, segment_ids })
const Section = z.strictObject({ heading, points: list(Point).min(1) })

/** The answer of a model in each mode, as it is sent. */
export const MODE_ANSWERS = {
  tldr: z.strictObject({ sentences: list(Point).min(1).max(4) }),
  detailed: z.strictObject({ overview: list(Point), sections: list(Section).min(1) }),
  study_notes: z.strictObject({
    overview: list(Point),
    concepts: list(Section).min(1),
    terms: z.strictObject({ heading, entries: list(z.strictObject({ term: text, meaning: text, segment_ids })) }),
    questions: z.strictObject({
      heading,
      entries: list(z.strictObject({ question: text, answer: text, segment_ids })),
    }),
  }),
  timestamped: z.strictObject({ moments: list(Point).min(1) }),
  key_insights: z.strictObject({
    claim: Point,
    takeaways: z.strictObject({ heading, points: list(Point).min(1) }),
    actions: z.strictObject({ heading, points: list(Point) }),
  }),
} as const satisfies Record<SummaryMode, z.ZodType>

export const NotesAnswer = z.strictObject({ notes: list(Point) })

// Structured output supports no limits and does not need the schema dialect.
const UNSUPPORTED = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'] as const

export function toProviderSchema(answer: z.ZodType): Record<string, unknown> {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(answer, {
    override: ({ jsonSchema }) => {
      for (const keyword of UNSUPPORTED) delete jsonSchema[keyword]
    },
  })
  return schema
}

/**
 * One schema for all modes, alone or together: a different schema would be a different prefix, which would have to be
 * written to the provider's cache again. Each mode has its own list with one summary or none.
 */
export const ANSWER_SCHEMA = toProviderSchema(
  z.strictObject(Object.fromEntries(SUMMARY_MODES.map((mode) => [mode, z.array(MODE_ANSWERS[mode])]))),
)

export const NOTES_SCHEMA = toProviderSchema(NotesAnswer)
