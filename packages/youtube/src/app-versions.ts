import { Constants } from 'youtubei.js'
import { appOf, type PlatformClient } from './clients.ts'

interface App {
  VERSION: string
  USER_AGENT?: string
}

/** Lets the library name these versions from now on, in requests and in the user agents. It reads them anew each time. */
export const applyAppVersions = (clients: readonly PlatformClient[]): void => {
  for (const { name, version } of clients) {
    if (version === undefined) continue
    const app: App = Constants.CLIENTS[appOf(name)]
    app.USER_AGENT = app.USER_AGENT?.replaceAll(app.VERSION, version)
    app.VERSION = version
  }
}
