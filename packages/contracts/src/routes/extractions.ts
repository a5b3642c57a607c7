import { z } from 'zod'
import { TemplateSchema } from '../template-schema.ts'

const ExtractionEvidence = z
  .object({
    segment_id: z.int(),
    start: z.number().meta({ description: 'Seconds.' }),
    url: z.string(),
    quote: z.string().meta({ description: 'Word for word from the segment.' }),
  })
  .meta({ id: 'ExtractionEvidence' })

/** A template that was filled from a transcript. */
export const ExtractionResult = z
  .object({
    template: z.string(),
    version: z.int().min(1),
    schema: TemplateSchema,
    data: z.looseObject({}).meta({ description: 'Always fits `schema`.' }),
    evidence: z.record(z.string(), z.array(ExtractionEvidence)).meta({
      description: 'The lines that carry each value of `data`, by its JSON pointer (RFC 6901).',
    }),
    unsupported: z.array(z.string()).meta({
      description:
        'JSON pointers of what the model claimed and its lines do not carry. A value is null then, or left out; an element that was removed is named by the pointer of its list.',
    }),
    model: z.string(),
  })
  .meta({ id: 'ExtractionResult' })
export type ExtractionResult = z.input<typeof ExtractionResult>

export const Extractions = z.record(z.string(), ExtractionResult).meta({
  description:
    'By name of the template, if `options.templates` are set. One that could not be filled is missing, with a warning: `MODEL_REQUIRED`, `EXTRACTION_INVALID` or `SUMMARY_MODE_UNAVAILABLE`.',
})
