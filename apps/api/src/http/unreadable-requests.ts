import { STATUS_CODES } from 'node:http'
import { buildErrorBody, buildMeta, ServiceError, validationError } from '@subtext/contracts'
import { v7 as newId } from 'uuid'
import type { ApiContext } from '../context.ts'
import { windowHeaders, windowOf } from './rate-limit.ts'

/** Why no request could be read from a connection. */
export type UnreadableReason = 'malformed' | 'too slow' | 'headers too large'

/** Returns a complete HTTP response, as text ready for the socket. */
export type RenderRefusal = (reason: UnreadableReason, address: string | undefined) => Promise<string>

const REFUSALS: Record<UnreadableReason, { status: number; error: ServiceError }> = {
  malformed: {
    status: 400,
    error: validationError([{ path: '', message: 'The request is not valid HTTP.', code: 'malformed' }]),
  },
  'too slow': {
    status: 408,
    error: new ServiceError('VALIDATION_ERROR', {
      message: 'The request took too long to arrive. Send it again.',
      retryable: true,
    }),
  },
  'headers too large': {
    status: 431,
    error: new ServiceError('PAYLOAD_TOO_LARGE', { message: 'The request line and headers must not exceed 16 KB.' }),
  },
}

/**
 * Returns the renderer of refusals for input that never becomes a request. Node would reply with a bare status; callers
 * get the usual envelope instead, and the attempt counts against the limit of their address.
 */
export const refuseUnreadable =
  (ctx: ApiContext): RenderRefusal =>
  async (reason, address) => {
    const { status, error } = REFUSALS[reason]
    const { key, limit } = windowOf(ctx.http.requestLimits, undefined, { ip: address })
    const { window } = await ctx.requestLimits.count(key, limit)
    const requestId = newId()
    const meta = buildMeta(requestId, ctx.clock(), [])
    const body = JSON.stringify({ success: false, error: buildErrorBody(error, ctx.http.publicBaseUrl), meta })
    ctx.log.info('unreadable request', { request_id: requestId, reason, status })
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
