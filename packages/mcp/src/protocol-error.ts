import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { SubtextError } from '@subtext/sdk'
import { messageOf } from './tool-result.ts'

/** Returns the error of the protocol for an error of the API. Others are returned as they are. */
export function toProtocolError(error: unknown): unknown {
  if (!(error instanceof SubtextError)) return error
  const isTheirs = error.code === 'NOT_FOUND' || error.code === 'VALIDATION_ERROR'
  const code = isTheirs ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError
  return new ProtocolError(code, messageOf(error), { code: error.code, requestId: error.requestId })
}
