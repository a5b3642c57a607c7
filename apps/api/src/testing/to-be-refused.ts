import { type ErrorCode, ErrorEnvelope } from '@subtext/contracts'

/** The part of a response that the matcher checks. A response of `supertest` fits. */
interface Refusal {
  status?: number
  body: unknown
}

declare global {
  namespace jest {
    interface Matchers<R> {
      /**
       * Checks that a response has the status and, in the error envelope, the code; with `path`, that its first validation
       * issue is at that path.
       */
      toBeRefused(status: number, code: ErrorCode, path?: string): R
    }
  }
}

expect.extend({
  toBeRefused({ status, body }: Refusal, expectedStatus: number, code: ErrorCode, path?: string) {
    const { error } = ErrorEnvelope.safeParse(body).data ?? {}
    const expected = { status: expectedStatus, code, ...(path !== undefined && { path }) }
    const received = { status, code: error?.code, ...(path !== undefined && { path: firstPath(error?.details) }) }
    return {
      pass: this.equals(received, expected),
      message: () =>
        [
          this.utils.matcherHint('toBeRefused', 'response', 'status, code, path', { isNot: this.isNot }),
          '',
          `Expected: ${this.utils.printExpected(expected)}`,
          `Received: ${this.utils.printReceived(received)}`,
          `Body: ${JSON.stringify(body)?.slice(0, 500)}`,
        ].join('\n'),
    }
  },
})

function firstPath(details: Record<string, unknown> | undefined): unknown {
  const issues = details?.issues
  const first: unknown = Array.isArray(issues) ? issues[0] : undefined
  return typeof first === 'object' && first !== null && 'path' in first ? first.path : undefined
}
