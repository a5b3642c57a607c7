import { Constants } from 'youtubei.js'
import { type PlatformClient, selectVersions } from '../clients.ts'

interface AppConstants {
  VERSION: string
  USER_AGENT?: string
}

/** The library's phone has a system that is too old for current versions of the app. */
const CURRENT_PHONE = {
  DEVICE_MODEL: 'iPhone16,2',
  OS_NAME: 'iPhone',
  OS_VERSION: '18.3.2.22D82',
  USER_AGENT: 'com.google.ios.youtube/VERSION (iPhone16,2; U; CPU iOS 18_3_2 like Mac OS X;)',
}

/** Sets the app versions that the library sends from now on, in requests and user agents. It reads them for each request. */
export const applyAppVersions = (clients: readonly PlatformClient[]): void => {
  for (const [name, version] of selectVersions(clients)) {
    const app: AppConstants = Constants.CLIENTS[name]
    if (name === 'IOS') Object.assign(app, CURRENT_PHONE, { VERSION: 'VERSION' })
    app.USER_AGENT = app.USER_AGENT?.replaceAll(app.VERSION, version)
    app.VERSION = version
  }
}
