import { z } from 'zod'

interface App {
  name: 'VISIONOS' | 'ANDROID' | 'IOS' | 'WEB'
  /** Null stands for the version of the website that the platform names when a session is opened, which is always current. */
  version: string | null
  /** The last day (ISO 8601) on which this version was known to get captions. */
  lastWorked: string
}

/**
 * The platform withdraws versions of its apps from time to time; one that is a few months old may get no captions. For an
 * example, see https://github.com/hoangkien1703/dual-sub-replay/pull/29. The canary warns about old ones. Sources of the
 * versions and days: https://github.com/yt-dlp/yt-dlp/pull/17261, https://github.com/yuliskov/MediaServiceCore/pull/41,
 * https://github.com/JuanBindez/pytubefix/pull/677.
 */
const VISIONOS: App = { name: 'VISIONOS', version: '1.02', lastWorked: '2026-09-12' }
const ANDROID: App = { name: 'ANDROID', version: '21.26.364', lastWorked: '2026-09-06' }
const IOS: App = { name: 'IOS', version: '21.26.4', lastWorked: '2026-09-06' }
const WEB: App = { name: 'WEB', version: null, lastWorked: '2026-09-06' }

/**
 * The clients as which requests identify, in the order in which they are asked unless a setting says otherwise.
 * `ANDROID_REEL` is the Android app showing short videos; `WEB` needs a token provider and is skipped without one.
 */
const CLIENTS = { VISIONOS, ANDROID, IOS, ANDROID_REEL: ANDROID, WEB } as const satisfies Record<string, App>
export type ClientName = keyof typeof CLIENTS

export const CLIENT_NAMES = Object.keys(CLIENTS) as ClientName[]
export const DEFAULT_CLIENTS = CLIENT_NAMES.join(',')

export interface PlatformClient {
  name: ClientName
  /** Version of the app. Default: the one of the table. */
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
    issue.addIssue(`Must be a list of ${CLIENT_NAMES.join(', ')}, each with an optional version, such as IOS@21.26.4.`)
  } else if (new Set(known.map(({ name }) => name)).size < known.length) {
    issue.addIssue('Must not name a client twice.')
  } else return known
  return z.NEVER
})

/** Returns the app of a client. Clients of the same app see the same tracks. */
export const appOf = (name: ClientName): App['name'] => CLIENTS[name].name

/** Counts the different apps among clients. */
export const countApps = (names: readonly ClientName[]): number => new Set(names.map(appOf)).size

/** Returns the version that each app identifies as: the one given to one of its clients, or else the one in the table. */
export const selectVersions = (clients: readonly PlatformClient[]): Map<App['name'], string> => {
  const versions = new Map<App['name'], string>()
  for (const { name, version } of clients) {
    const app: App = CLIENTS[name]
    const selected = version ?? versions.get(app.name) ?? app.version
    if (selected !== null) versions.set(app.name, selected)
  }
  return versions
}

/** Returns the last day on which this version of an app is known to have worked, or `null` for one not in the table. */
export const lastWorkedOn = (name: ClientName, version: string | null): string | null => {
  const app: App = CLIENTS[name]
  return app.version === version ? app.lastWorked : null
}
