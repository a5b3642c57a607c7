import type {
  DeliveryStatus,
  RotatedWebhookSecret,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookDeliveryWithAttempts,
  WebhookEventType,
  WebhookSecret,
} from '../generated/types.ts'
import { encodeId } from '../http/encode-id.ts'
import { createList, type List } from '../http/pages.ts'
import type { RequestOptions, Transport } from '../http/transport.ts'

export interface ListDeliveriesQuery {
  status?: DeliveryStatus
  event?: WebhookEventType
  jobId?: string
  /** Deliveries per page, 1 to 100. Default: 100. */
  limit?: number
}

/** The account's webhook secret and the log of deliveries. */
export class Webhooks {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Returns the first characters and the dates of the secret. */
  secret(options: RequestOptions = {}): Promise<WebhookSecret> {
    return this.#transport.json({ ...options, method: 'GET', path: '/webhooks/secret' })
  }

  /** Replaces the secret. The new one is shown only in this response. */
  rotateSecret(options: RequestOptions = {}): Promise<RotatedWebhookSecret> {
    return this.#transport.json({ ...options, method: 'POST', path: '/webhooks/secret/rotate', creates: true })
  }

  /** Lists deliveries, newest first. */
  deliveries(
    { status, event, jobId, limit = 100 }: ListDeliveriesQuery = {},
    options: RequestOptions = {},
  ): List<WebhookDelivery> {
    return createList('deliveries', (cursor) => {
      const query = { status, event, job_id: jobId, limit, cursor }
      return this.#transport.json<WebhookDeliveryList>({
        ...options,
        method: 'GET',
        path: '/webhooks/deliveries',
        query,
      })
    })
  }

  /** Returns a delivery with its attempts. */
  delivery(deliveryId: string, options: RequestOptions = {}): Promise<WebhookDeliveryWithAttempts> {
    const path = `/webhooks/deliveries/${encodeId(deliveryId)}`
    return this.#transport.json({ ...options, method: 'GET', path })
  }

  /** Delivers an event again: the same bytes with the same event ID. */
  redeliver(deliveryId: string, options: RequestOptions = {}): Promise<WebhookDelivery> {
    const path = `/webhooks/deliveries/${encodeId(deliveryId)}/redeliver`
    return this.#transport.json({ ...options, method: 'POST', path, creates: true })
  }

  /** Sends a signed test event to a URL. */
  test(url: string, options: RequestOptions = {}): Promise<WebhookDelivery> {
    return this.#transport.json({ ...options, method: 'POST', path: '/webhooks/test', body: { url }, creates: true })
  }
}
