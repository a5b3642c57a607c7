import type { z } from 'zod'
import type { Warning } from './envelope.ts'
import type { ErrorCode, ValidationIssue } from './errors.ts'
import type { ResponseHeader } from './headers.ts'
import type { Scope } from './vocabulary.ts'

export interface Upgraded {
  body: unknown
  /** Older names that were met. */
  deprecated: string[]
  /** Where they contradict the new ones. */
  issues: ValidationIssue[]
  /** Where a value of `body` was sent, by where it is now. */
  renamed: ReadonlyMap<string, string>
}

/** Renames fields of older versions before validation. */
export type Upgrade = (body: unknown) => Upgraded

export const upgradeNothing: Upgrade = (body) => ({ body, deprecated: [], issues: [], renamed: new Map() })

/** An older name that `upgrade` renames, as the OpenAPI document shows it. */
export interface LegacyField {
  schema: z.ZodType
  /** Path of the field that takes its place. */
  replacedBy: string
}

export interface RouteShape {
  method: 'get' | 'post'
  /** Relative to `/api/v1`, with `{name}` placeholders. */
  path: string
  operationId: string
  summary: string
  description?: string
  /** `public` needs no key. */
  access: 'public' | Scope
  /** Where the service is set to demand no keys, this route takes a request without one. */
  openable?: true
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodObject
  /** Longest body, where it is not the usual one. */
  maxBodyBytes?: number
  upgrade?: Upgrade
  /** The names `upgrade` takes; they are shown as deprecated. */
  legacyFields?: Record<string, LegacyField>
  /** Schema of the envelope's `data`; absent where the answer is a document of its own. */
  response: z.ZodType
  status: number
  /** Media types of documents that may be answered instead of the envelope. */
  documents?: readonly string[]
  /** Server-sent events that are answered instead of the envelope: the schema of `data` by the event's name. */
  events?: Record<string, z.ZodType>
  errors: readonly ErrorCode[]
  /** Takes an `Idempotency-Key`: the same request sent twice creates once. */
  idempotent?: true
  /** Understands `If-None-Match` and may answer `304`. */
  notModified?: true
  /** What a success carries beside the headers that follow from the above or are on every answer. */
  responseHeaders?: readonly ResponseHeader[]
  example?: { body?: unknown; query?: Record<string, string> }
}

/** One endpoint: validation, the handler's types and the OpenAPI document all come from this. */
export const defineRoute = <const R extends RouteShape>(route: R): R => route

type Output<S> = S extends z.ZodType ? z.output<S> : undefined

export interface RouteInput<R extends RouteShape> {
  params: Output<R['params']>
  query: Output<R['query']>
  body: Output<R['body']>
}

/** What a handler of `R` gives back: the envelope's `data` and what belongs around it. */
export interface RouteReply<R extends RouteShape> {
  data: z.input<R['response']>
  headers?: Record<string, string>
  warnings?: Warning[]
}
