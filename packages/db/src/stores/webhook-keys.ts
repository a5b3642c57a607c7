import { createHash } from 'node:crypto'

export interface WebhookKeys {
  /** Stands for account, scheme, host and port. */
  receiverKey: string
  /** Stands for the receiver and the path; what differs in the query alone is one endpoint. */
  endpointKey: string
  /** The endpoint as its owner knows it. */
  endpointUrl: string
}

// A hash is as long as any other, whatever the URL: the keys stand in indexes.
const keyOf = (userId: string, text: string): string =>
  createHash('sha256').update(`${userId} ${text}`).digest('hex').slice(0, 32)

/** Whom a delivery goes to. Accounts share nothing, so that none can use up or disable another's receiver. */
export function buildWebhookKeys(userId: string, url: string): WebhookKeys {
  const { origin = url, pathname = '' } = URL.parse(url) ?? {}
  const endpointUrl = `${origin}${pathname}`
  return { receiverKey: keyOf(userId, origin), endpointKey: keyOf(userId, endpointUrl), endpointUrl }
}
