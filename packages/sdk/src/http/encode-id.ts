/**
 * Encodes an ID as a segment of a path. Returns an empty segment, which the transport refuses like a missing ID, for a text with
 * half of a surrogate pair: no URL can contain one.
 */
export function encodeId(id: string): string {
  try {
    return encodeURIComponent(id)
  } catch {
    return ''
  }
}
