import { STATUS_CODES } from 'node:http'
import { buildErrorBody, buildMeta, ServiceError } from '@subtext/contracts'
import { v7 as newId } from 'uuid'
import type { ApiContext } from '../context.ts'
import { windowHeaders, windowOf } from './rate-limit.ts'

/** Why no request could be read from a connection. */
export type Breakage = 'malformed' | 'too slow' | 'headers too large'

/** A whole answer as it goes over the wire. */
export type AnswerBroken = (breakage: Breakage, address: string | undefined) => Promise<string>

const ANSWERS: Record<Breakage, { status: number; error: ServiceError }> = {
  malformed: { status: 400, error: new ServiceError('VALIDATION_ERROR', { message: 'This is no HTTP request.' }) },
  'too slow': {
    status: 408,
    error: new ServiceError('VALIDATION_ERROR', { message: 'The request did not arrive in time.', retryable: true }),
  },
  'headers too large': {
    status: 431,
    error: new ServiceError('PAYLOAD_TOO_LARGE', { message: 'The headers are too large.' }),
  },
}

/** Answers in the envelope, too, what never becomes a request: Node would answer with nothing but a status. */
export const answerBroken =
  (ctx: ApiContext): AnswerBroken =>
  async (breakage, address) => {
    const { status, error } = ANSWERS[breakage]
    const { who, limit } = windowOf(ctx.http.requestLimits, undefined, address)
    const { window } = await ctx.requestLimits.count(who, limit)
    const requestId = newId()
    const meta = buildMeta(requestId, ctx.clock(), [])
    const body = JSON.stringify({ success: false, error: buildErrorBody(error, ctx.http.publicBaseUrl), meta })
    ctx.log.info('broken request', { request_id: requestId, breakage, status })
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': requestId,
      ...windowHeaders(window),
      Date: ctx.clock().toUTCString(),
      Connection: 'close',
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n')
  }
