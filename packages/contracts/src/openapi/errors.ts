import { z } from 'zod'
import type { RouteShape } from '../define-route.ts'
import { API_PREFIX, ErrorBody, Meta } from '../envelope.ts'
import { ERROR_DETAILS } from '../error-details.ts'
import { ERROR_CODES, ERRORS, type ErrorCode, type ValidationIssue } from '../errors.ts'
import { EXAMPLE_META } from '../examples/meta.ts'
import type { ResponseHeader } from '../headers.ts'
import { JOB_ERRORS } from '../routes/job.ts'
import { COMMON_HEADERS, refHeaders } from './headers.ts'
import { type Json, type SchemaWriter, schemaRef } from './schemas.ts'

const ALWAYS: ErrorCode[] = ['HTTPS_REQUIRED', 'RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE']
/** Keys that a person has made, and connected applications, are refused while the plan includes none. */
const WITH_KEY: ErrorCode[] = ['UNAUTHORIZED', 'PLAN_UPGRADE_REQUIRED', 'INSUFFICIENT_SCOPE']
const WITH_SESSION: ErrorCode[] = ['UNAUTHORIZED', 'SESSION_REQUIRED']
const WITH_BODY: ErrorCode[] = ['VALIDATION_ERROR', 'INVALID_JSON', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']
const JOB_FAILURES: ReadonlySet<ErrorCode> = new Set(JOB_ERRORS)
const IDEMPOTENT: ErrorCode[] = ['VALIDATION_ERROR', 'IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED']

/** Returns the codes of all errors that the route can respond with, in the order of the table. */
export function listErrors(route: RouteShape): ErrorCode[] {
  const codes = new Set<ErrorCode>([
    ...route.errors,
    ...ALWAYS,
    ...codesOfAccess(route),
    ...(route.body ? WITH_BODY : []),
    ...(route.query ? (['VALIDATION_ERROR'] as const) : []),
    ...(route.idempotent ? IDEMPOTENT : []),
  ])
  return ERROR_CODES.filter((code) => codes.has(code))
}

function codesOfAccess({ access, method, recentSignIn, operatorOnly }: RouteShape): ErrorCode[] {
  if (access === 'public') return []
  return [
    ...(access === 'session' ? WITH_SESSION : WITH_KEY),
    ...(method === 'get' ? [] : (['FORBIDDEN_ORIGIN'] as const)),
    ...(operatorOnly ? (['INSUFFICIENT_SCOPE'] as const) : []),
    ...(recentSignIn ? (['SESSION_REQUIRED', 'REAUTHENTICATION_REQUIRED'] as const) : []),
  ]
}

/** Collects the error responses that routes share, as components. */
export interface ErrorWriter {
  responses: Record<string, Json>
  examples: Record<string, Json>
  /** Returns the error responses of the route by status. */
  write(route: RouteShape): Json
}

export function createErrorWriter(schemas: SchemaWriter): ErrorWriter {
  const responses: Record<string, Json> = {}
  const examples: Record<string, Json> = {}
  return {
    responses,
    examples,
    write(route) {
      const byStatus = new Map<number, ErrorCode[]>()
      for (const code of listErrors(route)) {
        const { status } = ERRORS[code]
        byStatus.set(status, [...(byStatus.get(status) ?? []), code])
      }
      return Object.fromEntries(
        [...byStatus]
          .sort(([a], [b]) => a - b)
          .map(([status, codes]) => {
            const headers = sharedHeadersOf(route, status, codes)
            const name = nameResponse(codes, headers)
            responses[name] ??= describeErrorResponse(status, codes, schemas, headers)
            for (const code of codes) examples[code] ??= describeExample(code)
            return [status, { $ref: `#/components/responses/${name}` }]
          }),
      )
    },
  }
}

function describeErrorResponse(
  status: number,
  codes: ErrorCode[],
  schemas: SchemaWriter,
  headers: readonly ResponseHeader[],
): Json {
  const refs = codes.map((code) => describeCode(code, schemas))
  const [only] = refs
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].message}`).join('\n\n'),
    headers: refHeaders([...COMMON_HEADERS, ...headersOf(status), ...headers]),
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['success', 'error', 'meta'],
          properties: {
            success: { const: false },
            error: refs.length === 1 ? only : { oneOf: refs, discriminator: discriminate(codes) },
            meta: schemas.write(Meta, 'output'),
          },
        },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  }
}

const headersOf = (status: number): ResponseHeader[] =>
  status === 401 ? ['WWW-Authenticate'] : status === 409 || status === 429 || status >= 503 ? ['Retry-After'] : []

const ACCEPTED = 202

/** Statuses of errors that occur before the body is read. */
const BODY_UNREAD = [401, 413, 415]

/**
 * Returns the headers that an error shares with successful responses. The error of a job that the request created is stored
 * for replays, too; a request that only has a job accepted does not respond with one.
 */
const sharedHeadersOf = (route: RouteShape, status: number, codes: ErrorCode[]): ResponseHeader[] => [
  ...(route.upgrade && !BODY_UNREAD.includes(status) ? (['Deprecation', 'Link'] as const) : []),
  ...(route.idempotent &&
  route.status !== ACCEPTED &&
  codes.some((code) => JOB_FAILURES.has(code) && route.errors.includes(code))
    ? (['Idempotent-Replayed'] as const)
    : []),
]

/** The codes with the status that jobs fail with. */
const failuresWith = (status: number): ErrorCode[] => JOB_ERRORS.filter((code) => ERRORS[code].status === status)

/** Names for codes that routes have in common, longest group first. */
const GROUPS: [name: string, codes: readonly ErrorCode[]][] = [
  ['JobFailure', failuresWith(422)],
  ['JobFailure', failuresWith(503)],
  ['InvalidBody', ['VALIDATION_ERROR', 'INVALID_JSON']],
  ['RecentSignInRequired', ['FORBIDDEN_ORIGIN', 'SESSION_REQUIRED', 'REAUTHENTICATION_REQUIRED', 'HTTPS_REQUIRED']],
  ['ForbiddenAccountChange', ['FORBIDDEN_ORIGIN', 'SESSION_REQUIRED', 'HTTPS_REQUIRED']],
  ['OperatorRequired', ['INSUFFICIENT_SCOPE', 'SESSION_REQUIRED', 'HTTPS_REQUIRED']],
  ['ForbiddenAccount', ['SESSION_REQUIRED', 'HTTPS_REQUIRED']],
  ['ForbiddenChange', ['FORBIDDEN_ORIGIN', 'INSUFFICIENT_SCOPE', 'HTTPS_REQUIRED']],
  ['Forbidden', ['INSUFFICIENT_SCOPE', 'HTTPS_REQUIRED']],
  ['PlatformFailure', ['UPSTREAM_BLOCKED', 'UPSTREAM_UNAVAILABLE']],
  ['NothingToProcess', ['SOURCE_UNAVAILABLE', 'NOTHING_SELECTED', 'CAPTIONS_UNREADABLE']],
  ['Unprocessable', ['SOURCE_UNAVAILABLE', 'IDEMPOTENCY_KEY_REUSED']],
  // The schemas of these errors are called ValidationError and InternalError.
  ['InvalidRequest', ['VALIDATION_ERROR']],
  ['InternalFailure', ['INTERNAL_ERROR']],
]

/**
 * Returns the component name of a response: its codes, and the headers that only some routes send. Code generators make
 * identifiers of it, such as `JobFailureOrServiceUnavailable`.
 */
function nameResponse(codes: ErrorCode[], headers: readonly ResponseHeader[]): string {
  const parts: string[] = []
  let rest = codes
  for (const [name, group] of GROUPS) {
    if (!group.every((code) => rest.includes(code))) continue
    parts.push(name)
    rest = rest.filter((code) => !group.includes(code))
  }
  const suffixes = [
    headers.includes('Deprecation') ? 'WithDeprecation' : '',
    headers.includes('Idempotent-Replayed') ? 'Replayable' : '',
  ]
  return [...parts, ...rest.map(pascalCase)].join('Or') + suffixes.join('')
}

/** Returns `JobNotCompleted` for `JOB_NOT_COMPLETED`. */
const pascalCase = (code: ErrorCode): string =>
  code.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Returns the component name of a code: `JobNotCompletedError` for `JOB_NOT_COMPLETED`, `InternalError` for `INTERNAL_ERROR`. */
export const errorSchemaName = (code: ErrorCode): string => `${pascalCase(code).replace(/Error$/, '')}Error`

const discriminate = (codes: ErrorCode[]): Json => ({
  propertyName: 'code',
  mapping: Object.fromEntries(codes.map((code) => [code, schemaRef(errorSchemaName(code)).$ref])),
})

/** Returns the schema of the error with one code and its details, which becomes a component. */
function describeCode(code: ErrorCode, schemas: SchemaWriter): Json {
  const id = errorSchemaName(code)
  if (schemas.components[id]) return schemaRef(id)
  const details = ERROR_DETAILS[code]
  const schema = ErrorBody.omit({ details: true })
    .extend({
      code: z.literal(code),
      ...(details && { details: details.optional ? details.schema.optional() : details.schema }),
    })
    .meta({ id, description: ERRORS[code].message })
  return schemas.write(schema, 'output')
}

function describeExample(code: ErrorCode): Json {
  const { message: general, retryable } = ERRORS[code]
  const details = ERROR_DETAILS[code]?.example
  const [firstIssue] = (details?.issues ?? []) as ValidationIssue[]
  const message = firstIssue?.message ?? general
  return {
    summary: general,
    value: {
      success: false,
      error: {
        code,
        message,
        ...(details && { details }),
        retryable,
        docs_url: `https://api.example.org${API_PREFIX}/docs/errors#${code}`,
      },
      meta: EXAMPLE_META,
    },
  }
}
