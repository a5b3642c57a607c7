import { APIError } from '@anthropic-ai/sdk'
import type { Logger } from '@subtext/runtime'
import type { classifyFailure, FailureKind } from './classify-failure.ts'

type Failure = NonNullable<ReturnType<typeof classifyFailure>>

/** What may be told of a failure. Messages and bodies may hold parts of a prompt, of an answer, or of a key. */
interface FailureFacts {
  outcome: FailureKind
  status?: number
  type?: string
  code?: string
  /** By which the provider's support finds the call. */
  provider_request_id?: string
}

/** Whoever answers at the other end may write anything into these. */
const NAME = /^[\w.:-]{1,64}$/
const named = <K extends string>(key: K, value: unknown): { [key in K]?: string } =>
  (typeof value === 'string' && NAME.test(value) ? { [key]: value } : {}) as { [key in K]?: string }

export function describeFailure(kind: FailureKind, error: unknown): FailureFacts {
  if (!(error instanceof APIError)) return { outcome: kind, ...named('code', findNetworkCode(error)) }
  return {
    outcome: kind,
    ...(error.status !== undefined && { status: error.status }),
    ...named('type', error.type),
    ...named('code', error.errorCode ?? findNetworkCode(error)),
    ...named('provider_request_id', error.requestID),
  }
}

/** The code with which a connection ended, wherever the chain of causes has it. */
function findNetworkCode(error: unknown, depth = 0): unknown {
  if (typeof error !== 'object' || error === null || depth > 4) return undefined
  if ('code' in error && error.code !== undefined) return error.code
  return 'cause' in error ? findNetworkCode(error.cause, depth + 1) : undefined
}

/** What is kept of a failed call as the cause of what callers see. */
export class ModelCallError extends Error {
  constructor(facts: FailureFacts) {
    super(`The call of the model failed: ${Object.values(facts).join(', ')}.`)
    this.name = 'ModelCallError'
  }
}

export type FailureLog = Pick<Logger, 'warn' | 'error'>

const SAY_AGAIN_AFTER_MS = 60_000

/**
 * Tells of failed calls: of each that may pass, and at most once a minute, but loudly, of those that will fail until
 * somebody acts.
 */
export function createFailureReporter(log: FailureLog, now: () => number = () => performance.now()) {
  let saidAt = Number.NEGATIVE_INFINITY
  return (failure: Failure, facts: FailureFacts): void => {
    if (!failure.needsPerson) log.warn('model call failed', { ...facts })
    else if (now() - saidAt >= SAY_AGAIN_AFTER_MS) {
      saidAt = now()
      log.error('model unusable', { ...facts })
    }
  }
}
