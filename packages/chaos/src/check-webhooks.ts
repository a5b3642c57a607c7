import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Db } from '@subtext/db'
import type { ReceivedWebhook, WebhookReceiver, WebhookReply } from '@subtext/fakes'
import type { ChaosAccount } from './accounts.ts'
import type { Random } from './random.ts'

export interface ReceiverStats {
  /** Returns the maximum number of concurrent deliveries for one account. */
  peakConcurrency(): number
}

const accountOf = ({ url }: ReceivedWebhook): string => url.split('/')[1] ?? ''

/** Makes the receiver reply like real ones: mostly with success, sometimes with an error or a closed connection. */
export function scriptReceiver(receiver: WebhookReceiver, random: Random): ReceiverStats {
  const open = new Map<string, number>()
  let peak = 0
  receiver.reply((webhook): WebhookReply => {
    const account = accountOf(webhook)
    const delayMs = Math.round(random.between(20, 220))
    const now = (open.get(account) ?? 0) + 1
    open.set(account, now)
    peak = Math.max(peak, now)
    setTimeout(() => open.set(account, (open.get(account) ?? 1) - 1), delayMs)
    if (random.chance(0.04)) return { instead: 'reset', delayMs }
    if (random.chance(0.05)) return { status: 500, delayMs }
    return { status: 204, delayMs }
  })
  return { peakConcurrency: () => peak }
}

export interface WebhookReport {
  events: number
  received: number
  /** Events that were received more than once, with the same ID. */
  repeated: number
  violations: Record<string, unknown[]>
}

/** Compares the received webhooks with the stored events. */
export async function checkWebhooks(
  db: Db,
  receiver: WebhookReceiver,
  accounts: ReadonlyMap<string, ChaosAccount>,
): Promise<WebhookReport> {
  const { rows } = await db.query<{ id: string; type: string; body: Buffer }>(
    'SELECT id, type, body FROM webhook_events',
  )
  const events = new Map(rows.map((row) => [row.id, row]))
  const received = new Map<string, ReceivedWebhook[]>()
  for (const webhook of receiver.received) {
    const id = String(webhook.headers['webhook-id'])
    received.set(id, [...(received.get(id) ?? []), webhook])
  }
  const all = [...received].flatMap(([id, webhooks]) => webhooks.map((webhook) => ({ id, webhook })))
  return {
    events: events.size,
    received: all.length,
    repeated: [...received.values()].filter(({ length }) => length > 1).length,
    violations: {
      'an event was never received': [...events.values()]
        .filter(({ id }) => !received.has(id))
        .map(({ id, type }) => ({ id, type })),
      'a webhook was received without an event': [...received.keys()].filter((id) => !events.has(id)),
      'the body of a webhook differs from its event': all
        .filter(({ id, webhook }) => events.has(id) && !events.get(id)?.body.equals(webhook.body))
        .map(({ id }) => id),
      'the signature of a webhook is invalid': all
        .filter(({ webhook }) => !isSigned(webhook, accounts.get(accountOf(webhook))?.secret ?? ''))
        .map(({ id, webhook }) => ({ id, url: webhook.url })),
    },
  }
}

/** Verifies both signatures: our own scheme and Standard Webhooks. */
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
