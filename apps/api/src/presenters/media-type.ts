import { contentType, ServiceError } from '@subtext/contracts'

/** Returns the media type among `available` that `Accept` prefers. Throws `NOT_ACCEPTABLE` when it accepts none of them. */
export function selectMediaType(available: string[], accepts: (types: string[]) => string | false): string {
  // An offer with its charset also matches a range that names none; the reverse is not true.
  const accepted = accepts(available.map(contentType))
  const mediaType = available.find((type) => contentType(type) === accepted)
  if (mediaType === undefined) throw new ServiceError('NOT_ACCEPTABLE', { details: { available } })
  return mediaType
}
