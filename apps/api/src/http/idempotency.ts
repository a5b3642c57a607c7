import { type RouteShape, validationError } from '@subtext/contracts'
import {
  beginIdempotentRequest,
  hashRequest,
  keepReply,
  type ReservedResource,
  releaseClaim,
} from '@subtext/core/idempotency'
import type { ApiContext } from '../context.ts'
import type { Reply } from './reply.ts'

const PRINTABLE = /^[ -~]{1,255}$/

/** Returns the request's `Idempotency-Key`, if any. `headers`: Node's `headersDistinct`. Throws `VALIDATION_ERROR`. */
export function readIdempotencyKey(headers: NodeJS.Dict<string[]>): string | undefined {
  const values = headers['idempotency-key']
  if (values === undefined) return undefined
  const [key] = values
  if (values.length === 1 && key !== undefined && PRINTABLE.test(key)) return key
  const message = 'Must be sent once and contain 1 to 255 printable ASCII characters.'
  throw validationError([{ path: 'Idempotency-Key', message, code: 'invalid_header' }])
}

export interface KeyedRequest {
  userId: string
  key: string
  /** Values of the placeholders in the route's path. */
  params: Record<string, string>
  /** The body as it was sent, without nulls that mean absence. */
  body: unknown
}

/**
 * Handles a request that carries an idempotency key: the first one is executed, and repetitions get the same reply. Throws
 * `IDEMPOTENCY_KEY_REUSED`, `IDEMPOTENCY_IN_PROGRESS`, and whatever `execute` throws.
 */
export async function replyOnce(
  ctx: ApiContext,
  route: RouteShape,
  { userId, key, params, body }: KeyedRequest,
  execute: (resource: ReservedResource) => Promise<Reply>,
): Promise<Reply> {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')
  const start = await beginIdempotentRequest(ctx, { userId, key, requestHash: hashRequest(route.method, path, body) })
  if ('reply' in start) return asReplay(parseReply(start.reply) ?? (await execute(start.resource)))
  const reply = await execute(start.resource).catch(async (error: unknown) => {
    await releaseClaim(ctx, start.claim, error)
    throw error
  })
  await keepReply(ctx, start.claim, serializeReply(reply))
  return reply
}

const asReplay = (reply: Reply): Reply => ({ ...reply, headers: { ...reply.headers, 'Idempotent-Replayed': 'true' } })

type StoredReply = { reply: Extract<Reply, { data: unknown }> } | { streamed: true }

/** Stores `data` replies only. Long texts and failures are in the store already and are read again for a replay. */
const serializeReply = (reply: Reply): string =>
  JSON.stringify(('data' in reply ? { reply } : { streamed: true }) satisfies StoredReply)

function parseReply(text: string): Reply | null {
  const stored: StoredReply = JSON.parse(text)
  return 'reply' in stored ? stored.reply : null
}
