import { SUMMARY_MODES, type SummaryMode } from '@subtext/contracts'
import { z } from 'zod'

const MAX_TEXT = 2_000
const MAX_HEADING = 300
const MAX_IDS = 100
const MAX_QUOTE = 400
const MAX_ENTRIES = 400

const text = z.string().min(1).max(MAX_TEXT)
const heading = z.string().min(1).max(MAX_HEADING)
const list = <S extends z.ZodType>(entry: S) => z.array(entry).max(MAX_ENTRIES)

/** Names the lines an entry rests on. */
const NUMBERS = {
  segment_ids: z.array(z.int()).max(MAX_IDS).describe('Numbers of the lines it rests on, ascending.'),
}
/** Names the lines an entry in another language rests on, and proves each with words of it. */
const QUOTATIONS = {
  citations: z
    .array(z.strictObject({ segment_id: z.int(), quote: z.string().max(MAX_QUOTE) }))
    .max(MAX_IDS)
    .describe(
      'The lines it rests on, ascending, each with three to twelve words in a row of that line, as they stand there.',
    ),
}

/** Builds the schemas of all modes. `sources`: how entries name the lines they rest on. */
function buildModeAnswers<S extends z.core.$ZodShape>(sources: S) {
  const Point = z.strictObject({ text, ...sources })
  const Section = z.strictObject({ heading, points: list(Point).min(1) })
  return {
    tldr: z.strictObject({ sentences: list(Point).min(1).max(4) }),
    detailed: z.strictObject({ overview: list(Point), sections: list(Section).min(1) }),
    study_notes: z.strictObject({
      overview: list(Point),
      concepts: list(Section).min(1),
      terms: z.strictObject({ heading, entries: list(z.strictObject({ term: text, meaning: text, ...sources })) }),
      questions: z.strictObject({
        heading,
        entries: list(z.strictObject({ question: text, answer: text, ...sources })),
      }),
    }),
    timestamped: z.strictObject({ moments: list(Point).min(1) }),
    key_insights: z.strictObject({
      claim: Point,
      takeaways: z.strictObject({ heading, points: list(Point).min(1) }),
      actions: z.strictObject({ heading, points: list(Point) }),
    }),
  } as const satisfies Record<SummaryMode, z.ZodType>
}

/** The answer of a model in each mode, as it is sent. */
export const MODE_ANSWERS = buildModeAnswers(NUMBERS)
/** The same for a summary in another language than the transcript. */
export const QUOTED_MODE_ANSWERS = buildModeAnswers(QUOTATIONS)

export const NotesAnswer = z.strictObject({ notes: list(z.strictObject({ text, ...NUMBERS })) })
export const QuotedNotesAnswer = z.strictObject({ notes: list(z.strictObject({ text, ...QUOTATIONS })) })

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

/** Schemas of answers that cite by number alone, or with quotations. */
interface AnswerSchemas {
  summaries: Record<string, unknown>
  /** Returns the part of `summaries` that some modes need. */
  summariesOf(modes: readonly SummaryMode[]): Record<string, unknown>
  notes: Record<string, unknown>
}

const buildSummariesSchema = (answers: Record<SummaryMode, z.ZodType>, modes: readonly SummaryMode[] = SUMMARY_MODES) =>
  toProviderSchema(z.strictObject(Object.fromEntries(modes.map((mode) => [mode, z.array(answers[mode])]))))

/**
 * One schema for all modes, alone or together: a different schema would be a different prefix, which would have to be
 * written to the provider's cache again. Each mode has its own list with one summary or none.
 */
const PLAIN: AnswerSchemas = {
  summaries: buildSummariesSchema(MODE_ANSWERS),
  summariesOf: (modes) => buildSummariesSchema(MODE_ANSWERS, modes),
  notes: toProviderSchema(NotesAnswer),
}
const QUOTED: AnswerSchemas = {
  summaries: buildSummariesSchema(QUOTED_MODE_ANSWERS),
  summariesOf: (modes) => buildSummariesSchema(QUOTED_MODE_ANSWERS, modes),
  notes: toProviderSchema(QuotedNotesAnswer),
}

export const selectSchemas = (isQuoting: boolean): AnswerSchemas => (isQuoting ? QUOTED : PLAIN)
