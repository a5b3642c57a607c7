import { API_PREFIX } from '@subtext/contracts'
import { waitUntil } from '@subtext/embedded/testing'
import { startWebhookReceiver } from '@subtext/fakes'
import { watchUrl } from '@subtext/server/testing'
import type { Account } from './accounts.ts'
import type { Arena } from './arena.ts'
import type { Fleet } from './fleet.ts'

const hostile = (port: string): string[] => [
  `http://127.0.0.1:${port}/`,
  `http://2130706433:${port}/`,
  `http://0x7f.1:${port}/`,
  `http://[::ffff:127.0.0.1]:${port}/`,
  `http://localhost:${port}/`,
]
const SETTLED_WITHIN_MS = 45_000

/**
 * With the guard of production on: nothing reaches a listener on this machine, neither by submission nor by a delivery
 * whose address became a private one since. Comes last, since the receiver of everything else is on this machine, too.
 */
export async function tryGuard(
  { db }: Pick<Arena, 'db'>,
  fleet: Fleet,
  account: Account,
  isOn: boolean,
): Promise<Record<string, unknown[]>> {
  const canary = await startWebhookReceiver()
  try {
    await fleet.change(['api', 'webhooks'], { WEBHOOK_ALLOW_PRIVATE: String(!isOn) })
    const { port } = new URL(canary.origin)
    const accepted: string[] = []
    for (const url of hostile(port)) {
      const body = { url: watchUrl('sbtx-z-0000'), webhook_url: url }
      const response = await fetch(`${fleet.of('api')[0]?.baseUrl}${API_PREFIX}/videos/process`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${account.key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (response.status !== 400) accepted.push(`${url}: ${response.status}`)
    }
    await redirectDelivery(db, canary.origin)
    return {
      'a webhook to this machine was accepted': accepted,
      'a webhook reached a private address': canary.received.map(({ url, headers }) => ({ url, host: headers.host })),
    }
  } finally {
    await canary.close()
  }
}

/** Makes a delivery of earlier go there, and waits until it has been tried. */
async function redirectDelivery(db: Arena['db'], origin: string): Promise<void> {
  const { rows } = await db.query<{ id: string; attempts: number }>(
    `UPDATE webhook_deliveries SET url = $1, status = 'pending', ready = true, lease_token = NULL,
       schedule_base = attempts, next_attempt_at = now()
     WHERE id = (SELECT id FROM webhook_deliveries WHERE status = 'delivered' LIMIT 1) RETURNING id, attempts`,
    [`${origin}/redirected`],
  )
  const [delivery] = rows
  if (!delivery) throw new Error('There is no delivery to redirect.')
  await waitUntil(
    'the redirected delivery is tried',
    async () => {
      const tried = await db.query('SELECT FROM webhook_deliveries WHERE id = $1 AND attempts > $2', [
        delivery.id,
        delivery.attempts,
      ])
      return tried.rowCount > 0
    },
    SETTLED_WITHIN_MS,
  )
}
