/**
 * Percent-encodes the characters of a page's address that are not ASCII, which a `Location` header cannot contain. Everything else
 * stays as it was sent, for the check of its origin.
 */
export const encodeTarget = (target: string): string =>
  target.toWellFormed().replace(/[^\0-\x7f]+/g, encodeURIComponent)
