import { z } from 'zod'
import { API_VERSION, ErrorBody } from './envelope.ts'
import { StructuredResult } from './routes/result.ts'

const event = <T extends string, D extends z.ZodType>(type: T, data: D) =>
  z.object({
    /** The same over all attempts to deliver the event. */
    id: z.uuid(),
    event: z.literal(type),
    created_at: z.iso.datetime(),
    api_version: z.literal(API_VERSION),
    data,
  })

export const JobCompletedEvent = event('job.completed', StructuredResult)

export const JobFailedEvent = event(
  'job.failed',
  z.object({
    job_id: z.uuid(),
    video_id: z.string(),
    video_url: z.url(),
    status: z.literal('failed'),
    error: ErrorBody.omit({ docs_url: true }),
    service_name: z.string().optional(),
    agent_name: z.string().optional(),
    client_reference: z.string().optional(),
  }),
)
