import { z } from 'zod'

/**
 * As whom the platform is asked. `ANDROID_REEL` is the Android app showing short videos; `WEB` needs a token provider and
 * is left out without one.
 */
const CLIENT_NAMES = ['ANDROID', 'VISIONOS', 'IOS', 'ANDROID_REEL', 'WEB'] as const
export type ClientName = (typeof CLIENT_NAMES)[number]

export interface PlatformClient {
  name: ClientName
  /** Of the app; that of the library when it is not given. */
  version?: string
}

const ENTRY = /^([A-Z_]+)(?:@([\w.]{1,40}))?$/

/** Order in which clients are asked: `NAME` or `NAME@version`, separated by commas. */
export const clientList = z.string().transform((text, issue): PlatformClient[] => {
  const clients = text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map((entry) => {
      const [, written, version] = ENTRY.exec(entry) ?? []
      const name = CLIENT_NAMES.find((known) => known === written)
      return name ? { name, version } : null
    })
  const known = clients.filter((client) => client !== null)
  if (known.length === 0 || known.length < clients.length) {
    issue.addIssue(`Must be a list of ${CLIENT_NAMES.join(', ')}, each with a version or without, such as IOS@20.11.6.`)
  } else if (new Set(known.map(({ name }) => name)).size < known.length) {
    issue.addIssue('Must not name a client twice.')
  } else return known
  return z.NEVER
})

/**
 * Versions of the apps are withdrawn by the platform now and then: one that is some months old may get no captions.
 * https://github.com/hoangkien1703/dual-sub-replay/pull/29 tells of such a day.
 */
export const DEFAULT_CLIENTS = 'ANDROID@21.26.364,VISIONOS,IOS,ANDROID_REEL,WEB'

/** The app that a client is; two clients of one app see the same tracks. */
export const appOf = (name: ClientName): Exclude<ClientName, 'ANDROID_REEL'> =>
  name === 'ANDROID_REEL' ? 'ANDROID' : name
