import { stringAt } from '../json.ts'

/** Returns the ID of the channel that a name leads to, or null. */
export function readResolvedChannel(body: unknown): string | null {
  const id = stringAt(body, 'endpoint', 'browseEndpoint', 'browseId')
  return id !== null && /^UC[A-Za-z0-9_-]{22}$/.test(id) ? id : null
}

/** Returns the address to which the platform says a name has moved, or null. */
export const readForwardedUrl = (body: unknown): string | null => stringAt(body, 'endpoint', 'urlEndpoint', 'url')
