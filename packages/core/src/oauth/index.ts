export { disconnectAllApps, disconnectOwnApp, listOwnApps, type StoredConnectedApp } from './apps.ts'
export { createMetadataFetcher, type FetchMetadata } from './client-metadata.ts'
export { allowsRedirect, type ClientContext, findClient, type OAuthClient, registerClient } from './clients.ts'
export { OAuthError, type OAuthErrorCode } from './oauth-error.ts'
export { describeRedirect, policySourceOf } from './redirect-uris.ts'
export {
  ACCESS_TOKEN_SECONDS,
  createCode,
  isAccessToken,
  isChallenge,
  redeemCode,
  refreshTokens,
  revokeToken,
  type TokenSet,
} from './tokens.ts'
export { createTokenVerifier, type TokenVerifier } from './verify.ts'
