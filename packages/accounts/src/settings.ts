/** Settings of sign-up and sign-in. */
export interface AccountSettings {
  /** Public origin of the service, without a slash at the end. */
  publicBaseUrl: string
  /** Origins of the service's own pages, that of `publicBaseUrl` among them. */
  ownOrigins: readonly string[]
  signUp: 'open' | 'closed' | 'invite'
  /** Failed sign-ins per hour, and requests for emails per hour, from one network. */
  limitPerNetwork: number
  oidc?: OidcSettings
  github?: ProviderCredentials
  google?: ProviderCredentials
}

export interface ProviderCredentials {
  clientId: string
  clientSecret: string
}

export interface OidcSettings extends ProviderCredentials {
  issuer: string
  /** Shown on the sign-in page. */
  name: string
  /** Treats addresses as verified even if the provider does not say so. */
  trustEmail: boolean
}

export const MIN_PASSWORD_LENGTH = 10
export const MAX_PASSWORD_LENGTH = 128

/** The base path of everything in this package. */
export const AUTH_PREFIX = '/auth'

/** The header in which the service tells better-auth the client's address. */
export const ADDRESS_HEADER = 'x-subtext-address'

/** The header in which the service tells its own endpoints the network by which attempts are counted. */
export const NETWORK_HEADER = 'x-subtext-network'

/** The header in which the service tells itself that a new password leaves applications connected. */
export const KEEP_APPS_HEADER = 'x-subtext-keep-apps'

/** Returns whether cookies are sent over TLS only. */
export const isSecure = ({ publicBaseUrl }: AccountSettings): boolean => publicBaseUrl.startsWith('https:')

export interface ListedProvider {
  id: 'oidc' | 'github' | 'google'
  name: string
}

/** Returns the identity providers that are set up. */
export const listProviders = ({ oidc, github, google }: AccountSettings): ListedProvider[] => [
  ...(oidc ? [{ id: 'oidc', name: oidc.name } as const] : []),
  ...(github ? [{ id: 'github', name: 'GitHub' } as const] : []),
  ...(google ? [{ id: 'google', name: 'Google' } as const] : []),
]
