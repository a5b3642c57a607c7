import { z } from 'zod'

/**
 * The apps as which requests identify. `ANDROID_REEL` is the Android app showing short videos; `WEB` needs a token provider
 * and is skipped without one.
 */
const CLIENT_NAMES = ['ANDROID', 'VISIONOS', 'IOS', 'ANDROID_REEL', 'WEB'] as const
export type ClientName = (typeof CLIENT_NAMES)[number]

export interface PlatformClient {
  name: ClientName
  /** Version of the app. Default: the one that the library knows. */
  version?: string
}

const ENTRY = /^([A-Z_]+)(?:@([\w.]{1,40}))?$/

/** Parses the clients in the order in which they are asked: `NAME` or `NAME@version`, separated by commas. */
export const clientList = z.string().transform((text, issue): PlatformClient[] => {
  const clients = text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map((entry) => {
      const [, given, version] = ENTRY.exec(entry) ?? []
      const name = CLIENT_NAMES.find((known) => known === given)
      return name ? { name, version } : null
    })
  const known = clients.filter((client) => client !== null)
  if (known.length === 0 || known.length < clients.length) {
    issue.addIssue(`Must be a list of ${CLIENT_NAMES.join(', ')}, each with an optional version, such as IOS@20.11.6.`)
  } else if (new Set(known.map(({ name }) => name)).size < known.length) {
    issue.addIssue('Must not name a client twice.')
  } else return known
  return z.NEVER
})

/**
 * The platform withdraws app versions from time to time; one that is a few months old may get no captions. For an example,
 * see https://github.com/hoangkien1703/dual-sub-replay/pull/29.
 */
export const DEFAULT_CLIENTS = 'ANDROID@21.26.364,VISIONOS,IOS,ANDROID_REEL,WEB'

/** Returns the app of a client. Clients of the same app see the same tracks. */
export const appOf = (name: ClientName): Exclude<ClientName, 'ANDROID_REEL'> =>
  name === 'ANDROID_REEL' ? 'ANDROID' : name
