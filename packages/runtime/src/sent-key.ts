export const HOW_TO_SEND_KEY = 'Send it as `Authorization: Bearer sk_...`.'

/** Returns whether a text has the form of an API key. Does not check whether the key exists. */
export const isApiKey = (text: string): boolean => /^sk_[0-9a-f]{64}$/.test(text)

type KeyHeader = 'Authorization' | 'X-API-Key'

/** A key or access token and the header that contains it, or what is wrong with the way it was sent. */
export type SentKey = { key: string; header: KeyHeader } | { problem: string }

/**
 * Returns the key in `Authorization: Bearer` or, for clients that cannot set it, in `X-API-Key`, and undefined without either.
 * Both must agree if both are present, and neither may be sent twice: a proxy might check one of them while we use the other.
 * `headers`: as in `headersDistinct` of Node.js. What `X-API-Key` contains is returned as it is, even if it is empty.
 */
export function readSentKey(headers: NodeJS.Dict<string[]>): SentKey | undefined {
  const { authorization = [], 'x-api-key': plain = [] } = headers
  if (authorization.length > 1) return { problem: '`Authorization` was sent twice. Send it once.' }
  if (plain.length > 1) return { problem: '`X-API-Key` was sent twice. Send it once.' }
  const [bearer] = authorization.map(parseBearer)
  if (bearer && 'problem' in bearer) return bearer
  const [key] = plain
  if (bearer && key !== undefined && bearer.key !== key) {
    return { problem: '`Authorization` and `X-API-Key` contain different keys. Send only one of them.' }
  }
  return bearer ?? (key === undefined ? undefined : { key, header: 'X-API-Key' })
}

function parseBearer(authorization: string): SentKey {
  const [, key] = /^Bearer +([!-~]+)$/i.exec(authorization) ?? []
  if (key !== undefined) return { key, header: 'Authorization' }
  return {
    problem: /^Bearer\b/i.test(authorization)
      ? '`Authorization: Bearer` must be followed by a space and one API key.'
      : `\`Authorization\` must use the \`Bearer\` scheme. ${HOW_TO_SEND_KEY}`,
  }
}
