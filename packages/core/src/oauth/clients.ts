import { createHash } from 'node:crypto'
import { ServiceError } from '@subtext/contracts'
import { validate as isUuid, v7 as newId } from 'uuid'
import { countAttempts } from '../accounts/index.ts'
import type { PrismaContext } from '../context.ts'
import { type FetchMetadata, isMetadataUrl } from './client-metadata.ts'
import { OAuthError } from './oauth-error.ts'
import { coversRedirect, isAllowedRedirect } from './redirect-uris.ts'

const MAX_NAME_LENGTH = 80
const MAX_REDIRECTS = 20
const REGISTRATIONS_PER_HOUR = 50
const HOUR_SECONDS = 3_600

export interface ClientContext extends Pick<PrismaContext, 'db' | 'clock'> {
  fetchMetadata: FetchMetadata
}

/** An application that requests access from people. */
export interface OAuthClient {
  id: string
  name: string
  redirectUris: string[]
}

/** Returns the client with this ID, registered or described by a document. Throws `OAuthError`. */
export async function findClient(ctx: ClientContext, clientId: string): Promise<OAuthClient> {
  if (isMetadataUrl(clientId)) return readClient(await ctx.fetchMetadata(clientId), clientId)
  const select = { id: true, name: true, redirectUris: true }
  const client = isUuid(clientId) && (await ctx.db.prisma.oAuthClient.findUnique({ where: { id: clientId }, select }))
  if (!client) throw new OAuthError('invalid_client', 'No client has this `client_id`. Register it again.')
  return client
}

/** Returns whether a client may have people sent to this address. */
export const allowsRedirect = ({ redirectUris }: OAuthClient, redirectUri: string): boolean =>
  isAllowedRedirect(redirectUri) && redirectUris.some((registered) => coversRedirect(registered, redirectUri))

/**
 * Registers a client (RFC 7591). All clients are public ones: they have no secret. Errors: `OAuthError`, and `RATE_LIMITED`
 * for a network that registers too many.
 */
export async function registerClient(
  ctx: Pick<PrismaContext, 'db' | 'clock'>,
  metadata: unknown,
  network: string,
): Promise<OAuthClient> {
  const id = newId()
  const client = readClient(metadata, null)
  const now = ctx.clock()
  const key = createHash('sha256').update(`oauth registration ${network}`).digest()
  const [counted] = await countAttempts(ctx.db, [{ key, windowSeconds: HOUR_SECONDS }], now)
  if (counted && counted.count > REGISTRATIONS_PER_HOUR) {
    const retryAfterSeconds = Math.max(1, Math.ceil((counted.resetsAt.getTime() - now.getTime()) / 1_000))
    throw new ServiceError('RATE_LIMITED', { message: 'Too many clients were registered.', retryAfterSeconds })
  }
  await ctx.db.prisma.oAuthClient.create({ data: { ...client, id, createdAt: now, usedAt: now } })
  return { ...client, id }
}

/** Reads the description of a client. `url` is the address that it was fetched from, or null if the client sent it. */
function readClient(metadata: unknown, url: string | null): OAuthClient {
  const { client_id, client_name, redirect_uris, token_endpoint_auth_method } = isObject(metadata) ? metadata : {}
  const invalid = (why: string) => new OAuthError(url === null ? 'invalid_client_metadata' : 'invalid_client', why)
  if (url !== null && client_id !== url) throw invalid('`client_id` of the document must be its URL.')
  if (url !== null && (token_endpoint_auth_method ?? 'none') !== 'none') {
    throw invalid('`token_endpoint_auth_method` must be `none`: clients have no secrets.')
  }
  if (!Array.isArray(redirect_uris) || redirect_uris.length === 0 || redirect_uris.length > MAX_REDIRECTS) {
    throw new OAuthError('invalid_redirect_uri', `\`redirect_uris\` must be a list of 1 to ${MAX_REDIRECTS} addresses.`)
  }
  // As PostgreSQL stores them; Prisma refuses a list with half a character.
  const redirectUris = redirect_uris.filter((uri) => typeof uri === 'string').map((uri) => uri.toWellFormed())
  if (redirectUris.length < redirect_uris.length || !redirectUris.every(isAllowedRedirect)) {
    throw new OAuthError(
      'invalid_redirect_uri',
      'Redirect addresses must use https, http on this computer (127.0.0.1, [::1], localhost), or the scheme of an application.',
    )
  }
  return {
    id: url ?? '',
    name: cleanName(client_name) || (url === null ? 'Unnamed application' : new URL(url).host),
    redirectUris,
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns a name on one line, without characters that are invisible or change the direction of text. */
function cleanName(name: unknown): string {
  if (typeof name !== 'string') return ''
  const text = name.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
  return [...text.trim()].slice(0, MAX_NAME_LENGTH).join('')
}
