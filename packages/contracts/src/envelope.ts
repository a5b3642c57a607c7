import { z } from 'zod'
import { ERRORS, ErrorCode, type ServiceError } from './errors.ts'
import { Warning } from './warnings.ts'

export const API_VERSION = 'v1'
export const API_PREFIX = '/api/v1'

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
