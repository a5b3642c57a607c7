import type { z } from 'zod'
import type { Warning } from './envelope.ts'
import type { ErrorCode, ValidationIssue } from './errors.ts'
import type { Scope } from './vocabulary.ts'

/** Renames fields of older versions before validation; says which it met and where they contradict the new ones. */
export type Upgrade = (body: unknown) => { body: unknown; deprecated: string[]; issues: ValidationIssue[] }

export interface RouteShape {
  method: 'get' | 'post'
  /** Relative to `/api/v1`, with `{name}` placeholders. */
  path: string
  operationId: string
  summary: string
  description?: string
  /** `public` needs no key. */
  access: 'public' | Scope
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodObject
  upgrade?: Upgrade
  /** Schema of the envelope's `data`; absent where the answer is a document of its own. */
  response: z.ZodType
  status: number
  /** Media types of documents that may be answered instead of the envelope. */
  documents?: readonly string[]
  errors: readonly ErrorCode[]
  example?: { body?: unknown }
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
