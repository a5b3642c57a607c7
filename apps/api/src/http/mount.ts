import {
  API_PREFIX,
  type RouteInput,
  type RouteShape,
  type Scope,
  ServiceError,
  type Upgraded,
  upgradeNothing,
  type ValidationIssue,
  validationError,
  type Warning,
} from '@subtext/contracts'
import type { Actor } from '@subtext/core/context'
import type { ReservedResource } from '@subtext/core/idempotency'
import type { RequestWindow } from '@subtext/queue'
import type { Express, Request, Response } from 'express'
import type { z } from 'zod'
import type { ApiContext } from '../context.ts'
import { toIssues } from './errors.ts'
import { readIdempotencyKey, replyOnce } from './idempotency.ts'
import { findCaller, requireActor } from './identify.ts'
import { readJsonBody } from './json-body.ts'
import { type Reply, sendReply } from './reply.ts'
import { untilGone } from './until-gone.ts'

export interface Call {
  actor: Actor
  /** The caller's hour of requests, this one counted. */
  window: RequestWindow
  /** The request's `Accept`, matched against what can be produced; false when nothing fits. */
  accepts: (types: string[]) => string | false
  /** A header of the request. */
  header: (name: string) => string | undefined
  /** What an `Idempotency-Key` stands for: the thing to be made, by its id. */
  resource?: ReservedResource
  /** For handlers that wait: see `untilGone`. */
  untilGone: () => AbortSignal
}

/** Who calls a route that needs no key is not told to its handler. */
type CallOf<R extends RouteShape> = R extends { openable: true } ? Omit<Call, 'actor'> : Call

export type Handler<R extends RouteShape> = (ctx: ApiContext, input: RouteInput<R>, call: CallOf<R>) => Promise<Reply>

/** A handler for every route of a table: a missing or wrong one does not compile. */
export type Handlers<T extends Record<string, RouteShape>> = { [K in keyof T]: Handler<T[K]> }

/** RFC 9745: the day the fields' successors became available, v1.1.0 of the interface. */
const DEPRECATED_SINCE = '@1735689600'

/** What else is wrong with a body that the schema has refused, so that its sender is told everything at once. */
export type Examine = (body: unknown) => ValidationIssue[]

/** Serves every route of the table, and refuses other methods on their paths. */
export function mount<T extends Record<string, RouteShape>>(
  app: Express,
  ctx: ApiContext,
  routes: T,
  handlers: Handlers<T>,
  examine: { [K in keyof T]?: Examine } = {},
): void {
  const methods = new Map<string, string[]>()
  for (const [name, route] of Object.entries(routes)) {
    const path = `${API_PREFIX}${route.path.replace(/\{(\w+)\}/g, ':$1')}`
    methods.set(path, [...(methods.get(path) ?? []), route.method.toUpperCase()])
    const handler = handlers[name] as Handler<RouteShape>
    const served: Served = { route, handler, examine: examine[name] ?? (() => []) }
    app[route.method](path, (request, response) => serve(ctx, served, request, response))
  }
  for (const [path, allowed] of methods) refuseOtherMethods(app, path, allowed)
}

/** To be called when the routes of the path are there. */
export function refuseOtherMethods(app: Express, path: string, allowed: string[]): void {
  app.all(path, (_request, response) => {
    response.setHeader('Allow', allowed.includes('GET') ? [...allowed, 'HEAD'].join(', ') : allowed.join(', '))
    throw new ServiceError('METHOD_NOT_ALLOWED')
  })
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
  if (route.access === 'public') throw new Error(`${route.operationId}: public routes are not mounted here.`)
  if (route.documents) response.vary('Accept')
  const caller = admit(ctx, route, request, response)
  const body = route.body ? await readJsonBody(request, response, route.maxBodyBytes) : undefined
  const upgraded = (route.upgrade ?? upgradeNothing)(body)
  if (upgraded.deprecated.length > 0) announceDeprecation(ctx, response)
  const input = parseInput(route, request, upgraded, examine)
  const key = route.idempotent ? readIdempotencyKey(request.headersDistinct) : undefined
  const call = {
    ...caller,
    accepts: (types) => request.accepts(types),
    header: (name) => request.get(name),
    untilGone: () => untilGone(ctx, request, response),
  } as Call
  const params = input.params as Record<string, string>
  const reply = await (key === undefined
    ? handler(ctx, input, call)
    : replyOnce(ctx, route, { userId: call.actor.userId, key, params, body }, (resource) =>
        handler(ctx, input, { ...call, resource }),
      ))
  await sendReply(ctx, response, route.status, withDeprecation(reply, upgraded.deprecated))
}

/** Who may call the route: an actor of its scope or, without a key, anybody where the service is set so. */
function admit(
  ctx: ApiContext,
  route: RouteShape,
  { headers }: Request,
  response: Response,
): Pick<Call, 'window'> & Partial<Pick<Call, 'actor'>> {
  const caller = findCaller(response)
  const showsNoKey = headers.authorization === undefined && headers['x-api-key'] === undefined
  if (caller && route.openable && showsNoKey && !ctx.http.requireApiAuth) return { window: caller.window }
  return requireActor(response, route.access as Scope)
}

/** A body of unknown fields could be answered with many times its size. */
const MAX_ISSUES = 500

function parseInput(route: RouteShape, request: Request, upgraded: Upgraded, examine: Examine): RouteInput<RouteShape> {
  const issues: ValidationIssue[] = [...upgraded.issues]
  const parse = (schema: z.ZodType | undefined, value: unknown, prefix = ''): unknown => {
    const parsed = schema?.safeParse(value)
    if (parsed?.success === false) issues.push(...toIssues(parsed.error, prefix))
    return parsed?.data
  }
  const input = {
    params: parse(route.params, request.params),
    query: parse(route.query, request.query, 'query'),
    body: parse(route.body, upgraded.body),
  }
  if (issues.length > 0) {
    const found = new Set(issues.map(({ path }) => path))
    const all = [...issues, ...examine(upgraded.body).filter(({ path }) => !found.has(path))]
    // The caller knows the place by the name that was sent.
    const named = all.map((issue) => ({ ...issue, path: upgraded.renamed.get(issue.path) ?? issue.path }))
    throw validationError(named.slice(0, MAX_ISSUES))
  }
  return input as RouteInput<RouteShape>
}

/** Whatever the answer will be: who is refused has to move on as well. */
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
    (field): Warning => ({ code: 'DEPRECATED_FIELD', message: `\`${field}\` is deprecated and ends with v2.0.` }),
  )
  return { ...reply, warnings: [...(reply.warnings ?? []), ...warnings] }
}
