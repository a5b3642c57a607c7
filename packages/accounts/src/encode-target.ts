/**
 * Percent-encodes the characters of a page's address that a `Location` header cannot contain. Printable ASCII and tabs stay as they
 * were sent, for the check of its origin.
 */
export const encodeTarget = (target: string): string => target.toWellFormed().replace(/[^\t -~]+/g, encodeURIComponent)
