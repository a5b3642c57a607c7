/**
 * Returns whether an address has no characters that look like others or become others in lower case, as the Kelvin sign
 * becomes a `k`: a provider may give out such an address, and it must not become the account of another one.
 */
export const isPlainAddress = (email: unknown): boolean => typeof email === 'string' && /^[\x21-\x7e]+$/.test(email)
