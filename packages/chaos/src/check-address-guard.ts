import { API_PREFIX } from '@subtext/contracts'
import { waitUntil } from '@subtext/embedded/testing'
import { startWebhookReceiver } from '@subtext/fakes'
import { watchUrl } from '@subtext/testbed'
import type { ChaosAccount } from './accounts.ts'
import { ADDRESS_GUARD_VIOLATION } from './controls.ts'
import type { Fleet } from './fleet.ts'
import type { ChaosTestBed } from './test-bed.ts'

const privateUrls = (port: string): string[] => [
  `http://127.0.0.1:${port}/`,
  `http://2130706433:${port}/`,
  `http://0x7f.1:${port}/`,
  `http://[::ffff:127.0.0.1]:${port}/`,
  `http://localhost:${port}/`,
]
const TIMEOUT_MS = 45_000

/**
 * Checks that with the address guard on, as in production, no webhook reaches a listener on this machine: neither from a
 * new submission nor from a stored delivery whose URL has become private. Runs last, because the receiver of all other
 * webhooks is on this machine too.
 */
export async function checkAddressGuard(
  { db }: Pick<ChaosTestBed, 'db'>,
  fleet: Fleet,
  account: ChaosAccount,
  isOn: boolean,
): Promise<Record<string, unknown[]>> {
  const listener = await startWebhookReceiver()
  try {
    await fleet.change(['api', 'webhooks'], { WEBHOOK_ALLOW_PRIVATE: String(!isOn) })
    const { port } = new URL(listener.origin)
    const accepted: string[] = []
    for (const url of privateUrls(port)) {
      const body = { url: watchUrl('sbtx-z-0000'), webhook_url: url }
      const response = await fetch(`${fleet.of('api')[0]?.baseUrl}${API_PREFIX}/videos/process`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${account.key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (response.status !== 400) accepted.push(`${url}: ${response.status}`)
    }
    await redirectDelivery(db, listener.origin)
    return {
      'a webhook URL on this machine was accepted': accepted,
      [ADDRESS_GUARD_VIOLATION]: listener.received.map(({ url, headers }) => ({ url, host: headers.host })),
    }
  } finally {
    await listener.close()
  }
}

/** Changes the URL of an earlier delivery to `origin`, and waits until it has been attempted. */
async function redirectDelivery(db: ChaosTestBed['db'], origin: string): Promise<void> {
  const { rows } = await db.query<{ id: string; attempts: number }>(
    `UPDATE webhook_deliveries SET url = $1, status = 'pending', ready = true, lease_token = NULL,
       schedule_base = attempts, next_attempt_at = now()
     WHERE id = (SELECT id FROM webhook_deliveries WHERE status = 'delivered' LIMIT 1) RETURNING id, attempts`,
    [`${origin}/redirected`],
  )
  const [delivery] = rows
  if (!delivery) throw new Error('There is no delivery to redirect.')
  await waitUntil(
    'the redirected delivery is attempted',
    async () => {
      const attempted = await db.query('SELECT FROM webhook_deliveries WHERE id = $1 AND attempts > $2', [
        delivery.id,
        delivery.attempts,
      ])
      return attempted.rowCount > 0
    },
    TIMEOUT_MS,
  )
}
