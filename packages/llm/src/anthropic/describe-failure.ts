import { APIError } from '@anthropic-ai/sdk'
import type { FailureDetails, FailureKind } from '../failures.ts'

/** The server may send anything in these fields; only text that looks like a name is safe to log. */
const NAME = /^[\w.:-]{1,64}$/

const pickName = (value: unknown): string | undefined =>
  typeof value === 'string' && NAME.test(value) ? value : undefined

/** Returns the details of a failed call that are safe to log. */
export function describeFailure(kind: FailureKind, error: unknown): FailureDetails {
  if (!(error instanceof APIError)) return { outcome: kind, code: pickName(findNetworkCode(error)) }
  return {
    outcome: kind,
    status: error.status,
    type: pickName(error.type),
    code: pickName(error.errorCode ?? findNetworkCode(error)),
    provider_request_id: pickName(error.requestID),
  }
}

const MAX_CAUSES = 4

/** Finds the code with which a connection ended, anywhere in the chain of causes. */
export function findNetworkCode(error: unknown, depth = 0): unknown {
  if (typeof error !== 'object' || error === null || depth > MAX_CAUSES) return undefined
  if ('code' in error && error.code !== undefined) return error.code
  return 'cause' in error ? findNetworkCode(error.cause, depth + 1) : undefined
}
