import { createHash } from 'node:crypto'

export interface WebhookKeys {
  /** Identifies account, scheme, host and port. */
  receiverKey: string
  /** Identifies the receiver and the path. URLs that differ only in the query are one endpoint. */
  endpointKey: string
  /** The URL of the endpoint, without its query. */
  endpointUrl: string
}

// A hash, because the keys are indexed and a URL may be long.
const keyOf = (userId: string, text: string): string =>
  createHash('sha256').update(`${userId} ${text}`).digest('hex').slice(0, 32)

/** Builds the keys of a URL. No two accounts share a key, so that no account can exhaust or disable another's receiver. */
export function buildWebhookKeys(userId: string, url: string): WebhookKeys {
  const { origin = url, pathname = '' } = URL.parse(url) ?? {}
  const endpointUrl = `${origin}${pathname}`
  return { receiverKey: keyOf(userId, origin), endpointKey: keyOf(userId, endpointUrl), endpointUrl }
}
