import { z } from 'zod'
import { MAX_SOURCE_VIDEOS, SourceVideoType } from './sources.ts'
import { dateOrTime } from './usage.ts'

const seconds = z.int().min(0).max(1_000_000)

const Select = z
  .strictObject({
    newest: z.int().min(1).max(MAX_SOURCE_VIDEOS).optional().meta({
      description: 'Only so many of those that fit, the newest.',
    }),
    video_ids: z.array(z.string().min(1).max(64)).min(1).max(MAX_SOURCE_VIDEOS).optional().meta({
      description: 'Only these. One that the source does not list is refused.',
    }),
    types: z.array(SourceVideoType).min(1).max(4).optional().meta({ description: 'Only videos of these types.' }),
    not_processed: z.boolean().optional().meta({
      description: 'Only videos that you have neither processed nor are processing.',
    }),
    min_duration_seconds: seconds.optional().meta({ description: 'Only videos that are known to be so long.' }),
    max_duration_seconds: seconds.optional().meta({ description: 'Only videos that are known not to be longer.' }),
    published_after: dateOrTime.optional().meta({
      description: 'Only videos published from this day (UTC) or time on, as far as the platform says.',
    }),
  })
  .superRefine(({ min_duration_seconds: min, max_duration_seconds: max }, { addIssue }) => {
    if (min === undefined || max === undefined || min <= max) return
    addIssue({ code: 'custom', path: ['max_duration_seconds'], message: 'Must not be below `min_duration_seconds`.' })
  })
  .meta({ id: 'SourceSelect', description: 'Which videos are meant. All conditions have to be met.' })

/** Videos of a source, in place of a list of videos. */
export const SourceSelection = z
  .strictObject({
    source_id: z.string().min(1).max(64).meta({ format: 'uuid', description: 'From `POST /sources`.' }),
    select: Select.prefault({}),
  })
  .meta({ id: 'SourceSelection' })
export type SourceSelection = z.output<typeof SourceSelection>
