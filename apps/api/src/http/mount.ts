import {
  API_PREFIX,
  noUpgrade,
  omitNulls,
  type RouteInput,
  type RouteShape,
  ServiceError,
  type Upgraded,
  type ValidationIssue,
  validationError,
  type Warning,
} from '@subtext/contracts'
import type { Actor, SignedInActor } from '@subtext/core/context'
import type { ReservedResource } from '@subtext/core/idempotency'
import type { RequestWindow } from '@subtext/queue'
import type { Express, Request, Response } from 'express'
import { validate as isUuid } from 'uuid'
import type { z } from 'zod'
import type { ApiContext } from '../context.ts'
import { type AbortOptions, createAbortSignal } from './abort-signal.ts'
import { sendsApiKey } from './authenticate.ts'
import { readIdempotencyKey, replyOnce } from './idempotency.ts'
import { findCaller, requireActor } from './identify.ts'
import { MAX_ISSUES, parsePart, refuseInSentNames, useSentNames } from './issues.ts'
import { hasNoBody, readJsonBody } from './json-body.ts'
import { isMultipart, readMultipartBody } from './multipart.ts'
import { type Reply, sendReply } from './reply.ts'

export interface RequestCall {
  actor: Actor
  /** The caller's hourly request window, including this request. */
  window: RequestWindow
  /** Returns the best match of the request's `Accept` among `types`, or false when none is acceptable. */
  accepts: (types: string[]) => string | false
  /** Returns a header of the request. */
  header: (name: string) => string | undefined
  /** The ID reserved for the resource that the request's `Idempotency-Key` creates. */
  resource?: ReservedResource
  /** For handlers that wait: see `createAbortSignal`. */
  abortSignal: (options?: AbortOptions) => AbortSignal
}

/** Handlers of routes that need no key do not get an actor, and those of signed links only if there is a key or session. */
type CallOf<R extends RouteShape> = R extends { openable: true } | { access: 'public' }
  ? Omit<RequestCall, 'actor'>
  : R extends { signed: true }
    ? Omit<RequestCall, 'actor'> & Partial<Pick<RequestCall, 'actor'>>
    : R extends { access: 'session' }
      ? RequestCall & { actor: SignedInActor }
      : RequestCall

export type Handler<R extends RouteShape> = (ctx: ApiContext, input: RouteInput<R>, call: CallOf<R>) => Promise<Reply>

/** A handler for every route of a table. A missing or wrong handler does not compile. */
export type Handlers<T extends Record<string, RouteShape>> = { [K in keyof T]: Handler<T[K]> }

/** RFC 9745: when the replacements of the deprecated fields became available, with v1.1.0 of the API. */
const DEPRECATED_SINCE = '@1735689600'

/** Returns further issues of a body that the schema has refused, so that the caller learns of all of them at once. */
export type Examine = (body: unknown) => ValidationIssue[]

/** Mounts every route of the table, and refuses other methods on their paths. */
export function mount<T extends Record<string, RouteShape>>(
  app: Express,
  ctx: ApiContext,
  routes: T,
  handlers: Handlers<T>,
  examine: { [K in keyof T]?: Examine } = {},
): void {
  const methods = new Map<string, string[]>()
  const besideNames = new Set<string>()
  for (const [name, route] of Object.entries(routes)) {
    const path = `${API_PREFIX}${route.path.replace(/\{(\w+)\}/g, ':$1')}`
    // A path with a slash at its end is served like the one without it.
    const shared = path.replace(/\/$/, '')
    methods.set(shared, [...(methods.get(shared) ?? []), route.method.toUpperCase()])
    const handler = handlers[name] as Handler<RouteShape>
    const served: Served = { route, handler, examine: examine[name] ?? (() => []) }
    app[route.method](path, (request, response) => serve(ctx, served, request, response))
    if (route.besideNames) besideNames.add(path)
  }
  for (const [path, allowed] of methods) refuseOtherMethods(app, path, allowed, besideNames.has(path))
}

/**
 * Responds `METHOD_NOT_ALLOWED` to all other methods. Call it after mounting the routes of the path. `onlyIds`: of the paths that
 * match, it is about those that have IDs in place of the placeholders.
 */
export function refuseOtherMethods(app: Express, path: string, allowed: string[], onlyIds = false): void {
  app.all(path, ({ params }, response, next) => {
    if (onlyIds && !Object.values(params).every((id) => isUuid(id))) next()
    else refuseMethod(response, allowed)
  })
}

/** Throws `METHOD_NOT_ALLOWED` with the methods to use instead. */
export function refuseMethod(response: Response, allowed: string[]): never {
  response.setHeader('Allow', allowed.includes('GET') ? [...allowed, 'HEAD'].join(', ') : allowed.join(', '))
  throw new ServiceError('METHOD_NOT_ALLOWED', { message: `Method not allowed. Use ${allowed.join(' or ')}.` })
}

interface Served {
  route: RouteShape
  handler: Handler<RouteShape>
  examine: Examine
}

async function serve(
  ctx: ApiContext,
  { route, handler, examine }: Served,
  request: Request,
  response: Response,
): Promise<void> {
  if (route.documents || route.files) response.vary('Accept')
  const caller = admit(ctx, route, request, response)
  const body = route.body && omitNulls(route.body, await readBody(ctx, route, caller.actor, request, response))
  const upgraded = (route.upgrade ?? noUpgrade)(body)
  if (upgraded.deprecated.length > 0) announceDeprecation(ctx, response)
  const input = parseInput(route, request, upgraded, examine)
  const key = route.idempotent ? readIdempotencyKey(request.headersDistinct) : undefined
  const call = {
    ...caller,
    accepts: (types) => request.accepts(types),
    header: (name) => request.get(name),
    abortSignal: (options) => createAbortSignal(ctx, request, response, options),
  } as RequestCall
  const params = input.params as Record<string, string>
  const reply = await (key === undefined
    ? handler(ctx, input, call)
    : replyOnce(ctx, route, { userId: call.actor.userId, key, params, body }, (resource) =>
        handler(ctx, input, { ...call, resource }),
      )
  ).catch((error: unknown) => {
    throw refuseInSentNames(error, upgraded.renamed)
  })
  await sendReply(ctx, response, route.status, withDeprecation(reply, upgraded.deprecated))
}

async function readBody(
  ctx: ApiContext,
  route: RouteShape,
  actor: Actor | undefined,
  request: Request,
  response: Response,
): Promise<unknown> {
  // Files are decoded in turns of accounts.
  if (!actor || !route.multipart || !isMultipart(request)) {
    if (hasNoBody(request) && createsFromNothing(route)) return {}
    return readJsonBody(request, response, route.maxBodyBytes)
  }
  const signal = createAbortSignal(ctx, request, response, { outlastsDraining: true })
  return readMultipartBody(request, (file) => ctx.decodeCaptionFile(file, { account: actor.userId, signal }))
}

/** Whether something is created without any field, such as a digest. */
const createsFromNothing = ({ method, body }: RouteShape): boolean =>
  method === 'post' && body !== undefined && body.safeParse({}).success

/**
 * Checks that the caller may use the route: the caller has the right to, the route is public, the settings open it, or there is
 * a signature, which the handler checks.
 */
function admit(
  ctx: ApiContext,
  route: Pick<RouteShape, 'access' | 'openable' | 'recentSignIn' | 'operatorOnly' | 'signed'>,
  { headers, query }: Request,
  response: Response,
): Pick<RequestCall, 'window'> & Partial<Pick<RequestCall, 'actor'>> {
  const caller = findCaller(response)
  if (!caller) throw new Error('A route was called before identify.')
  const isOpen = route.openable && !sendsApiKey(headers) && !ctx.http.requireApiAuth
  if (route.access === 'public' || isOpen) return { window: caller.window }
  // If a key was sent, it must be valid: a signed link does not make up for a wrong key.
  const isSigned = route.signed && 'signature' in query && (caller.actor || !sendsApiKey(headers))
  if (isSigned) return { window: caller.window, actor: caller.actor }
  return requireActor(ctx, response, route)
}

function parseInput(route: RouteShape, request: Request, upgraded: Upgraded, examine: Examine): RouteInput<RouteShape> {
  const issues: ValidationIssue[] = [...upgraded.issues]
  const parse = (schema: z.ZodType | undefined, value: unknown, prefix?: 'query'): unknown => {
    const parsed = schema && parsePart({ schema, prefix }, value)
    if (parsed && 'issues' in parsed) issues.push(...parsed.issues)
    return parsed && 'value' in parsed ? parsed.value : undefined
  }
  const input = {
    params: parse(route.params, withPlainIds(request.params)),
    query: parse(route.query, request.query, 'query'),
    body: parse(route.body, upgraded.body),
  }
  if (issues.length > 0) {
    const found = new Set(issues.map(({ path }) => path))
    const all = [...issues, ...examine(upgraded.body).filter(({ path }) => !found.has(path))]
    throw validationError(useSentNames(all, upgraded.renamed).slice(0, MAX_ISSUES))
  }
  return input as RouteInput<RouteShape>
}

/** Set on refusals as well, because those callers also have to migrate. */
function announceDeprecation(ctx: ApiContext, response: Response): void {
  response.setHeader('Deprecation', DEPRECATED_SINCE)
  response.setHeader(
    'Link',
    `<${ctx.http.publicBaseUrl}${API_PREFIX}/docs/deprecations>; rel="deprecation"; type="text/html"`,
  )
}

function withDeprecation(reply: Reply, deprecated: string[]): Reply {
  if (deprecated.length === 0) return reply
  const warnings = deprecated.map(
    (field): Warning => ({
      code: 'DEPRECATED_FIELD',
      message: `\`${field}\` is deprecated and will be removed in v2.0.`,
    }),
  )
  return { ...reply, warnings: [...(reply.warnings ?? []), ...warnings] }
}

/**
 * Returns parameters with IDs as they are stored: everything that compares IDs, in memory or in SQL, then means the same ones.
 * Throws `NOT_FOUND` for U+0000, which no stored text contains: the database would refuse to look for it.
 */
function withPlainIds(params: Request['params']): Record<string, unknown> {
  if (Object.values(params).some((value) => value.includes('\0'))) throw new ServiceError('NOT_FOUND')
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, isUuid(value) ? String(value).toLowerCase() : value]),
  )
}
