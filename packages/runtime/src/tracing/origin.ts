import { readLogFields } from '../work-context.ts'
import { readTraceparent } from './tracing.ts'

/** The request and the span that caused work which another process does. For logs and traces; callers never see it. */
export interface Origin {
  traceparent: string | null
  requestId: string | null
}

/** Returns the origin of work that is started now. */
export function readOrigin(): Origin {
  const { request_id: requestId } = readLogFields()
  return { traceparent: readTraceparent(), requestId: typeof requestId === 'string' ? requestId : null }
}
