import { ERROR_DETAILS } from './error-details.ts'
import { ERROR_HELP } from './error-help.ts'
import { ERROR_CODES, ERRORS, type ErrorCode, ServiceError, type ValidationIssue, validationError } from './errors.ts'

/** The codes that clients may rely on. */
const PROMISED: Record<number, string[]> = {
  400: ['VALIDATION_ERROR', 'INVALID_JSON', 'INVALID_VIDEO_URL'],
  401: ['UNAUTHORIZED'],
  403: [
    'PLAN_UPGRADE_REQUIRED',
    'INSUFFICIENT_SCOPE',
    'HTTPS_REQUIRED',
    'FORBIDDEN_ORIGIN',
    'SESSION_REQUIRED',
    'REAUTHENTICATION_REQUIRED',
  ],
  404: ['NOT_FOUND'],
  405: ['METHOD_NOT_ALLOWED'],
  406: ['NOT_ACCEPTABLE'],
  409: [
    'JOB_NOT_COMPLETED',
    'CONVERSATION_BUSY',
    'IDEMPOTENCY_IN_PROGRESS',
    'KEY_LIMIT_REACHED',
    'TEMPLATE_LIMIT_REACHED',
    'KEY_ALREADY_CREATED',
    'SUBSCRIPTION_LIMIT_REACHED',
    'SOURCE_IN_USE',
  ],
  413: ['PAYLOAD_TOO_LARGE'],
  415: ['UNSUPPORTED_MEDIA_TYPE'],
  422: [
    'TRANSCRIPT_UNAVAILABLE',
    'VIDEO_UNAVAILABLE',
    'AGE_RESTRICTED',
    'LIVE_NOT_ENDED',
    'GEO_BLOCKED',
    'VIDEO_NOT_ACCESSIBLE',
    'SOURCE_UNAVAILABLE',
    'NOTHING_SELECTED',
    'CAPTIONS_UNREADABLE',
    'IDEMPOTENCY_KEY_REUSED',
    'JOB_CANCELLED',
  ],
  429: ['RATE_LIMITED', 'QUOTA_EXCEEDED'],
  500: ['INTERNAL_ERROR'],
  503: ['UPSTREAM_BLOCKED', 'UPSTREAM_UNAVAILABLE', 'SUMMARY_UNAVAILABLE', 'SERVICE_UNAVAILABLE'],
  504: ['PROCESSING_TIMEOUT'],
}

describe('ERRORS', () => {
  test.each(
    Object.entries(PROMISED).flatMap(([status, codes]) => codes.map((code) => [code, Number(status)] as const)),
  )('%s has the status %i', (code, status) => {
    expect(ERRORS).toHaveProperty(code)
    expect(ERRORS[code as keyof typeof ERRORS].status).toBe(status)
  })

  test('contains no other codes', () => {
    expect([...ERROR_CODES].sort()).toEqual(Object.values(PROMISED).flat().sort())
  })

  test('marks errors caused by overload or upstream faults as retryable, and errors caused by the request as not', () => {
    for (const code of ERROR_CODES) {
      const { status, retryable } = ERRORS[code]
      // Time alone does not give back a key, a template or a subscription.
      const isPassing = status === 409 && !/^(?:KEY|TEMPLATE|SUBSCRIPTION|SOURCE)_/.test(code)
      if (status >= 500 || status === 429 || isPassing) expect([code, retryable]).toEqual([code, true])
      if (status < 409 || status === 413 || status === 415) expect([code, retryable]).toEqual([code, false])
    }
  })
})

describe('ServiceError', () => {
  test('takes its status, message and retryability from the table', () => {
    expect(new ServiceError('NOT_FOUND')).toMatchObject({
      code: 'NOT_FOUND',
      status: 404,
      message: ERRORS.NOT_FOUND.message,
      retryable: false,
      details: undefined,
      retryAfterSeconds: undefined,
    })
  })

  test('can override the message and the retryability of the table', () => {
    const cause = new Error('inner')
    const error = new ServiceError('LIVE_NOT_ENDED', {
      message: 'Starts tomorrow.',
      retryable: false,
      retryAfterSeconds: 60,
      details: { reason: 'upcoming' },
      cause,
    })
    expect(error).toMatchObject({
      message: 'Starts tomorrow.',
      retryable: false,
      retryAfterSeconds: 60,
      details: { reason: 'upcoming' },
      cause,
    })
  })
})

describe('validationError', () => {
  const messagesOf = (...issues: [path: string, message: string][]) => {
    const { message, details } = validationError(
      issues.map(([path, text]) => ({ path, message: text, code: 'custom' })),
    )
    return [message, (details?.issues as ValidationIssue[] | undefined)?.map((issue) => issue.message)]
  }

  test('carries every issue, and the message of the first one', () => {
    const issues = [
      { path: 'url', message: 'Send one URL.', code: 'custom' },
      { path: 'priority', message: 'Send no priority.', code: 'custom' },
    ]
    expect(validationError(issues)).toMatchObject({
      code: 'VALIDATION_ERROR',
      status: 400,
      message: 'Send one URL.',
      details: { issues },
    })
  })

  test('completes messages that say what a field must be, or is, with its name', () => {
    expect(
      messagesOf(
        ['options.language', 'Must be short.'],
        ['url', 'Is required.'],
        ['query.limit', 'Must be a number.'],
        ['', 'Must be an object.'],
        ['a', 'Mustard.'],
      ),
    ).toEqual([
      '`options.language` must be short.',
      [
        '`options.language` must be short.',
        '`url` is required.',
        'The query parameter `limit` must be a number.',
        'The request body must be an object.',
        'Mustard.',
      ],
    ])
  })
})

describe('ERROR_HELP', () => {
  test.each(ERROR_CODES)('explains in whole sentences what causes %s and what to do', (code) => {
    const { cause, remedy } = ERROR_HELP[code]
    for (const text of [cause, remedy]) expect(text).toMatch(/^[A-Z`].{20,}\.$/s)
    expect(new Set([cause, remedy, ERRORS[code].message]).size).toBe(3)
  })

  test.each(Object.entries(ERROR_DETAILS))('names the details of %s', (code, { schema }) => {
    const { cause, remedy } = ERROR_HELP[code as ErrorCode]
    const names = Object.keys(schema.shape)
    expect(names.some((name) => `${cause} ${remedy}`.includes(`details.${name}`))).toBe(true)
  })
})

/** Their default messages name lists, which are for programs. People get messages that say what is in the lists. */
const FOR_PROGRAMS = ['VALIDATION_ERROR', 'PLAN_UPGRADE_REQUIRED', 'NOT_ACCEPTABLE']

test('a message for people names only details of one value, which clients can put in their place', () => {
  const others = ERROR_CODES.filter((code) =>
    [...ERRORS[code].message.matchAll(/`details\.(\w+)`/g)].some(
      ([, name = '']) => !['string', 'number'].includes(typeof ERROR_DETAILS[code]?.example[name]),
    ),
  )
  expect(others).toEqual(FOR_PROGRAMS)
})
