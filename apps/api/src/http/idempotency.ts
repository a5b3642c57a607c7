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
  /** The body as it was sent. */
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
  const place = `idempotency_keys ${userId} ${key}`
  if ('answer' in start) return asReplay(parseReply(ctx, start.answer, place) ?? (await execute(start.resource)))
  const reply = await execute(start.resource).catch(async (error: unknown) => {
    await releaseClaim(ctx, start.claim, error)
    throw error
  })
  await keepAnswer(ctx, start.claim, serializeReply(ctx, reply, place))
  return reply
}

const asReplay = (reply: Reply): Reply => ({ ...reply, headers: { ...reply.headers, 'Idempotent-Replayed': 'true' } })

type StoredReply = { reply: DataReply } | { sealed: string; keyId: string } | { streamed: true }
type DataReply = Extract<Reply, { data: unknown }>

/**
 * Stores `data` replies only. Long texts and failures are in the store already and are read again for a replay. A secret is
 * sealed for `place`, so that it cannot be opened if it is copied to another account.
 */
function serializeReply({ secretBox }: ApiContext, reply: Reply, place: string): string {
  const serialize = (stored: StoredReply): string => JSON.stringify(stored)
  if (!('data' in reply)) return serialize({ streamed: true })
  if (!reply.isSecret) return serialize({ reply })
  const sealed = secretBox.seal(JSON.stringify(reply), place).toString('base64')
  return serialize({ sealed, keyId: secretBox.keyId })
}

function parseReply({ secretBox }: ApiContext, text: string, place: string): DataReply | null {
  const stored: StoredReply = JSON.parse(text)
  if ('streamed' in stored) return null
  if ('reply' in stored) return stored.reply
  const opened = secretBox.open(Buffer.from(stored.sealed, 'base64'), stored.keyId, place)
  // To execute the request again would replace what the caller has received.
  if (opened === null) {
    throw new Error(`A response was sealed with the key "${stored.keyId}", which is missing in WEBHOOK_SECRET_KEY.`)
  }
  return JSON.parse(opened)
}
