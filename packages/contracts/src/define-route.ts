import type { z } from 'zod'
import type { ErrorCode, ValidationIssue } from './errors.ts'
import type { ResponseHeader } from './headers.ts'
import type { Scope } from './vocabulary.ts'
import type { Warning } from './warnings.ts'

export interface Upgraded {
  body: unknown
  /** The deprecated names that the request used. */
  deprecated: string[]
  /** Deprecated fields that contradict their replacements. */
  issues: ValidationIssue[]
  /** For moved values: the path in the upgraded body, and the path in the request. */
  renamed: ReadonlyMap<string, string>
}

/** Renames deprecated fields of a request body before validation. */
export type Upgrade = (body: unknown) => Upgraded

export const noUpgrade: Upgrade = (body) => ({ body, deprecated: [], issues: [], renamed: new Map() })

export interface RouteShape {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** Relative to `/api/v1`, with `{name}` placeholders. */
  path: string
  /** Names of other paths can take the place of its ID. Only an ID is refused for its method. */
  besideNames?: true
  operationId: string
  summary: string
  description?: string
  /** The scope the caller needs; `public` requires no key, and `session` a person who has signed in. */
  access: 'public' | 'session' | Scope
  /** Requires that a session was authenticated within the last minutes. Does not apply to keys. */
  recentSignIn?: true
  /** Requires the session of an operator of the service. */
  operatorOnly?: true
  /** When the service is configured not to require keys, this route accepts requests without one. */
  openable?: true
  /**
   * A link with a `signature` in its query works without a key. The handler checks it and, if it is not valid, the rights of the
   * actor, if there is one.
   */
  signed?: true
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodObject
  /** Maximum size of the body, if it differs from the default. */
  maxBodyBytes?: number
  /** Also accepts the body as `multipart/form-data`, with the captions as the part `file`. */
  multipart?: true
  upgrade?: Upgrade
  /** Schema of the body before `upgrade`, for the OpenAPI document. */
  request?: z.ZodType
  /** Schema of the envelope's `data`. Absent if the response is never the envelope, as with the status 204. */
  response?: z.ZodType
  status: number
  /** Another status with which it succeeds, and the same response. */
  otherStatus?: number
  /** Media types of the documents that the response can be instead of the envelope. */
  documents?: readonly string[]
  /** Media types of the files that the response is in place of the envelope. */
  files?: readonly [string, ...string[]]
  /** Set for a stream of server-sent events instead of the envelope: the schema of `data` for each event name. */
  events?: Record<string, z.ZodType>
  /** Server-sent events that take the place of the envelope if the body asks for them: the schema of `data` for each name. */
  requestableEvents?: Record<string, z.ZodType>
  /** Begins the names of their schemas, if another route has events of the same names. */
  eventPrefix?: string
  errors: readonly ErrorCode[]
  /** Accepts an `Idempotency-Key`: a repeated request creates nothing new. */
  idempotent?: true
  /** Supports `If-None-Match` and may respond with 304. */
  notModified?: true
  /** Headers of a successful response, besides the common ones and those implied by the other fields. */
  responseHeaders?: readonly ResponseHeader[]
  example?: { body?: unknown; query?: Record<string, string> }
}

/** Defines an endpoint. Validation, the types of its handler and the OpenAPI document are derived from it. */
export const defineRoute = <const R extends RouteShape>(route: R): R => route

type Output<S> = S extends z.ZodType ? z.output<S> : undefined

export interface RouteInput<R extends RouteShape> {
  params: Output<R['params']>
  query: Output<R['query']>
  body: Output<R['body']>
}

/** The reply of a handler of `R`: the envelope's `data`, headers and warnings. */
export interface RouteReply<R extends RouteShape> {
  data: R['response'] extends z.ZodType ? z.input<R['response']> : never
  headers?: Record<string, string>
  warnings?: Warning[]
  /** Sent in place of the route's status. */
  status?: number
}
