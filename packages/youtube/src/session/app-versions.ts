import { Constants } from 'youtubei.js'
import { appOf, type PlatformClient } from '../clients.ts'

interface App {
  VERSION: string
  USER_AGENT?: string
}

/** Sets the app versions that the library sends from now on, in requests and user agents. It reads them for each request. */
export const applyAppVersions = (clients: readonly PlatformClient[]): void => {
  for (const { name, version } of clients) {
    if (version === undefined) continue
    const app: App = Constants.CLIENTS[appOf(name)]
    app.USER_AGENT = app.USER_AGENT?.replaceAll(app.VERSION, version)
    app.VERSION = version
  }
}
