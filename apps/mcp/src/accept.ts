const NEEDED = ['application/json', 'text/event-stream']

/**
 * Returns the header `Accept` as the protocol's library wants it, which reads no ranges: with both media types if the client takes
 * any, or sends none.
 */
export function readAccept(accept: string | undefined): string {
  if (accept === undefined || accept.trim() === '') return NEEDED.join(', ')
  const taken = new Set(accept.split(',').filter(isWanted).map(mediaRange))
  const takes = (type: string): boolean => [type, `${type.split('/')[0]}/*`, '*/*'].some((range) => taken.has(range))
  return NEEDED.every(takes) ? NEEDED.join(', ') : accept
}

const mediaRange = (item: string): string => item.split(';')[0]?.trim().toLowerCase() ?? ''
const isWanted = (item: string): boolean => !/;\s*q\s*=\s*0(?:\.0*)?\s*(?:;|$)/i.test(item)
