import { createHmac, timingSafeEqual } from 'node:crypto'
import { API_PREFIX } from '@subtext/contracts'

/** A link works for seven to eight days, because all links made on one day are the same. */
const DAY_SECONDS = 86_400
const LINK_DAYS = 8

/** The parts of a link to an infographic. */
export interface InfographicLink {
  jobId: string
  linkKey: Buffer
}

/** The parameters of a link. */
export interface LinkParameters {
  /** Unix seconds. */
  expires: number
  signature: string
}

const sign = ({ jobId, linkKey }: InfographicLink, expires: number): Buffer =>
  createHmac('sha256', linkKey).update(`infographic ${jobId} ${expires}`).digest()

/** Returns the expiry of links that are made now, in Unix seconds. */
export const linkEpoch = (now: Date): number =>
  (Math.floor(now.getTime() / 1_000 / DAY_SECONDS) + LINK_DAYS) * DAY_SECONDS

/** Returns an absolute URL of an infographic that works without a key for seven days. */
export function buildInfographicUrl(publicBaseUrl: string, link: InfographicLink, now: Date): string {
  const expires = linkEpoch(now)
  const query = new URLSearchParams({ expires: String(expires), signature: sign(link, expires).toString('base64url') })
  return `${publicBaseUrl}${API_PREFIX}/videos/infographic/${link.jobId}?${query}`
}

/** Returns whether a link was made by this service and has not expired. */
export function isValidLink(link: InfographicLink, { expires, signature }: LinkParameters, now: Date): boolean {
  const wanted = sign(link, expires)
  const given = Buffer.from(signature, 'base64url')
  const isSigned = given.length === wanted.length && timingSafeEqual(given, wanted)
  return isSigned && now.getTime() < expires * 1_000
}
