/** Codes of RFC 6749, sections 4.1.2.1 and 5.2, RFC 7591, section 3.2.2, and RFC 8707, section 2. */
export type OAuthErrorCode =
  | 'access_denied'
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_grant'
  | 'invalid_redirect_uri'
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'

/** A request of an OAuth client that is refused. The message is for the developer of the client. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode

  constructor(code: OAuthErrorCode, message: string) {
    super(message)
    this.name = 'OAuthError'
    this.code = code
  }
}
