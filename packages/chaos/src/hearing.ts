import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Db } from '@subtext/db'
import type { ReceivedWebhook, WebhookAnswer, WebhookReceiver } from '@subtext/fakes'
import type { Account } from './accounts.ts'
import type { Random } from './random.ts'

/** What the receiver of all webhooks has heard, and how it behaved. */
export interface Hearing {
  /** The most requests for one account that it had in hand at once. */
  peakOfAccount(): number
}

const accountOf = ({ url }: ReceivedWebhook): string => url.split('/')[1] ?? ''

/** Answers as the world does: mostly well, at times not, now and then by a broken connection. */
export function listen(receiver: WebhookReceiver, random: Random): Hearing {
  const inHand = new Map<string, number>()
  let peak = 0
  receiver.answer((webhook): WebhookAnswer => {
    const account = accountOf(webhook)
    const delayMs = Math.round(random.between(20, 220))
    const now = (inHand.get(account) ?? 0) + 1
    inHand.set(account, now)
    peak = Math.max(peak, now)
    setTimeout(() => inHand.set(account, (inHand.get(account) ?? 1) - 1), delayMs)
    if (random.chance(0.04)) return { instead: 'reset', delayMs }
    if (random.chance(0.05)) return { status: 500, delayMs }
    return { status: 204, delayMs }
  })
  return { peakOfAccount: () => peak }
}

export interface HeardEvents {
  events: number
  received: number
  /** Events that came more than once, with the same id. */
  repeated: number
  violations: Record<string, unknown[]>
}

/** Holds what was received against what was to be told. */
export async function checkHeard(
  db: Db,
  receiver: WebhookReceiver,
  accounts: ReadonlyMap<string, Account>,
): Promise<HeardEvents> {
  const { rows } = await db.query<{ id: string; type: string; body: Buffer }>(
    'SELECT id, type, body FROM webhook_events',
  )
  const told = new Map(rows.map((row) => [row.id, row]))
  const heard = new Map<string, ReceivedWebhook[]>()
  for (const webhook of receiver.received) {
    const id = String(webhook.headers['webhook-id'])
    heard.set(id, [...(heard.get(id) ?? []), webhook])
  }
  const all = [...heard].flatMap(([id, webhooks]) => webhooks.map((webhook) => ({ id, webhook })))
  return {
    events: told.size,
    received: all.length,
    repeated: [...heard.values()].filter(({ length }) => length > 1).length,
    violations: {
      'an event was never received': [...told.values()]
        .filter(({ id }) => !heard.has(id))
        .map(({ id, type }) => ({ id, type })),
      'something was received that is no event': [...heard.keys()].filter((id) => !told.has(id)),
      'a body differs from that of its event': all
        .filter(({ id, webhook }) => told.has(id) && !told.get(id)?.body.equals(webhook.body))
        .map(({ id }) => id),
      'a signature does not verify': all
        .filter(({ webhook }) => !isSigned(webhook, accounts.get(accountOf(webhook))?.secret ?? ''))
        .map(({ id, webhook }) => ({ id, url: webhook.url })),
    },
  }
}

/** Both schemes; the second one is that of Standard Webhooks. */
function isSigned({ headers, body }: ReceivedWebhook, secret: string): boolean {
  const plain = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.`
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const standard = `v1,${createHmac('sha256', key).update(signed).update(body).digest('base64')}`
  return isSame(headers['x-webhook-signature'], plain) && isSame(headers['webhook-signature'], standard)
}

const isSame = (given: unknown, wanted: string): boolean =>
  typeof given === 'string' &&
  given.length === wanted.length &&
  timingSafeEqual(Buffer.from(given), Buffer.from(wanted))
