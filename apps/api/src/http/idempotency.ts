import { type RouteShape, validationError } from '@subtext/contracts'
import {
  beginIdempotentRequest,
  hashRequest,
  keepAnswer,
  type ReservedResource,
  releaseClaim,
} from '@subtext/core/idempotency'
import type { ApiContext } from '../context.ts'
import type { Reply } from './reply.ts'

const PRINTABLE = /^[ -~]{1,255}$/

/** The request's `Idempotency-Key`; error: `VALIDATION_ERROR` where it is none. `headers`: as Node's `headersDistinct`. */
export function readIdempotencyKey(headers: NodeJS.Dict<string[]>): string | undefined {
  const values = headers['idempotency-key']
  if (values === undefined) return undefined
  const [key] = values
  if (values.length === 1 && key !== undefined && PRINTABLE.test(key)) return key
  const message = 'Must be sent once and have 1 to 255 printable ASCII characters.'
  throw validationError([{ path: 'Idempotency-Key', message, code: 'invalid_header' }])
}

export interface KeyedRequest {
  userId: string
  key: string
  /** Values of the placeholders in the route's path. */
  params: Record<string, string>
  /** As it was sent. */
  body: unknown
}

/**
 * Answers a request that carries a key: the first one is carried out, the same one again gets the same answer. Errors:
 * `IDEMPOTENCY_KEY_REUSED`, `IDEMPOTENCY_IN_PROGRESS`, and those of `answer`.
 */
export async function replyOnce(
  ctx: ApiContext,
  route: RouteShape,
  { userId, key, params, body }: KeyedRequest,
  answer: (resource: ReservedResource) => Promise<Reply>,
): Promise<Reply> {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')
  const start = await beginIdempotentRequest(ctx, { userId, key, requestHash: hashRequest(route.method, path, body) })
  if ('answer' in start) return asReplay(parseReply(start.answer) ?? (await answer(start.resource)))
  const reply = await answer(start.resource).catch(async (error: unknown) => {
    await releaseClaim(ctx, start.claim, error)
    throw error
  })
  await keepAnswer(ctx, start.claim, writeReply(reply))
  return reply
}

const asReplay = (reply: Reply): Reply => ({ ...reply, headers: { ...reply.headers, 'Idempotent-Replayed': 'true' } })

type StoredReply = { reply: Extract<Reply, { data: unknown }> } | { streamed: true }

/** What is read from the store anyway, a long text or why a job failed, is read again, not kept twice. */
const writeReply = (reply: Reply): string =>
  JSON.stringify(('data' in reply ? { reply } : { streamed: true }) satisfies StoredReply)

function parseReply(answer: string): Reply | null {
  const stored: StoredReply = JSON.parse(answer)
  return 'reply' in stored ? stored.reply : null
}
