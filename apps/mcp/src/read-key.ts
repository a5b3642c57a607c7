const HOW_TO_SEND = 'Send your API key as "Authorization: Bearer sk_...".'
const NONE = 'Sign in, or send your API key as "Authorization: Bearer sk_...".'

/** A key or access token, or what is wrong with the way it was sent. */
export type SentKey = { key: string } | { problem: string }

/**
 * Returns the key in `Authorization` or, for clients that cannot set it, in `X-API-Key`. As in the API, both must agree if both are
 * present, and neither may be sent twice: a proxy might check one of them while we use the other.
 */
export function readKey(headers: NodeJS.Dict<string[]>): SentKey {
  const { authorization = [], 'x-api-key': plain = [] } = headers
  if (authorization.length > 1) return { problem: 'Authorization was sent twice. Send it once.' }
  if (plain.length > 1) return { problem: 'X-API-Key was sent twice. Send it once.' }
  const [bearer] = authorization.map(parseBearer)
  if (bearer && 'problem' in bearer) return bearer
  const [other] = plain
  if (bearer && other !== undefined && bearer.key !== other) {
    return { problem: 'Authorization and X-API-Key contain different keys. Send only one of them.' }
  }
  if (bearer) return bearer
  if (other === undefined) return { problem: NONE }
  return /^[!-~]+$/.test(other) ? { key: other } : { problem: `X-API-Key does not contain an API key. ${HOW_TO_SEND}` }
}

function parseBearer(authorization: string): SentKey {
  const [, key] = /^Bearer +([!-~]+)$/i.exec(authorization) ?? []
  if (key !== undefined) return { key }
  return {
    problem: /^Bearer\b/i.test(authorization)
      ? 'Authorization: Bearer must be followed by a space and one API key.'
      : `Authorization has no scheme, or another one than Bearer. ${HOW_TO_SEND}`,
  }
}
