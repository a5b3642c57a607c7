import { z } from 'zod'

const Point = z.strictObject({
  text: z.string().describe('Plain text in the language of the transcript.'),
  segment_ids: z.array(z.int()).describe('Numbers of the segments it rests on.'),
})

/** What a model answers in every mode, as it is on the wire. */
export const ModelAnswer = z.strictObject({
  overview: z.array(Point),
  sections: z.array(z.strictObject({ heading: z.string(), points: z.array(Point) })),
})

// Providers' structured output knows no bounds of numbers and needs no name of the dialect.
const { $schema: _dialect, ...schema } = z.toJSONSchema(ModelAnswer, {
  override: ({ jsonSchema }) => {
    delete jsonSchema.minimum
    delete jsonSchema.maximum
  },
})

export const ANSWER_SCHEMA: Record<string, unknown> = schema
