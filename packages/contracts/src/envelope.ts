import { z } from 'zod'
import { ERRORS, ErrorCode, type ServiceError } from './errors.ts'

export const API_VERSION = 'v1'
export const API_PREFIX = '/api/v1'

/** Something that was done differently than requested. */
export const Warning = z
  .object({
    code: z
      .enum([
        'LANGUAGE_NOT_AVAILABLE',
        'NOT_IN_SPOKEN_LANGUAGE',
        'DUBBED_CAPTIONS',
        'FORCED_CAPTIONS',
        'INFOGRAPHIC_UNAVAILABLE',
        'INFOGRAPHIC_DISABLED',
        'DEPRECATED_FIELD',
        'TRANSCRIPT_TRUNCATED',
        'EXTRACTIVE_SUMMARY',
        'SUMMARY_MODE_UNAVAILABLE',
        'COMMENTS_UNAVAILABLE',
        'OUTPUT_LANGUAGE_NOT_AVAILABLE',
        'INJECTION_SUSPECTED',
        'TRANSCRIPT_SAMPLED',
        'QUOTA_KEPT',
        'MODEL_UNAVAILABLE',
        'ANSWER_DECLINED',
        'ANSWER_INCOMPLETE',
      ])
      .meta({ id: 'WarningCode' }),
    message: z.string(),
  })
  .meta({ id: 'Warning' })
export type Warning = z.infer<typeof Warning>

export const Meta = z
  .object({
    request_id: z.string(),
    timestamp: z.iso.datetime(),
    version: z.literal(API_VERSION),
    warnings: z.array(Warning).optional(),
  })
  .meta({ id: 'Meta' })
export type Meta = z.infer<typeof Meta>

export const ErrorBody = z.object({
  code: ErrorCode,
  message: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
  retryable: z.boolean(),
  docs_url: z.url(),
})
export type ErrorBody = z.infer<typeof ErrorBody>

export const ErrorEnvelope = z
  .object({ success: z.literal(false), error: ErrorBody, meta: Meta })
  .meta({ id: 'ErrorEnvelope' })

export const buildMeta = (requestId: string, now: Date, warnings: Warning[]): Meta => ({
  request_id: requestId,
  timestamp: now.toISOString(),
  version: API_VERSION,
  ...(warnings.length > 0 && { warnings }),
})

export const buildErrorBody = (error: ServiceError, publicBaseUrl: string): ErrorBody => ({
  code: error.code,
  // An internal message may contain hosts, tables or secrets, so callers get the text of the table instead.
  message: error.code === 'INTERNAL_ERROR' ? ERRORS.INTERNAL_ERROR.message : error.message,
  ...(error.details && { details: error.details }),
  retryable: error.retryable,
  docs_url: `${publicBaseUrl}${API_PREFIX}/docs/errors#${error.code}`,
})
