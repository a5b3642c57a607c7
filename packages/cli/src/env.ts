import { homedir } from 'node:os'
import { join } from 'node:path'
import { type ProxySettings, readProxySettings } from '@subtext/runtime/proxied-fetch'

/** The environment variables that the program reads. */
export interface Environment {
  /** Key of the environment, which takes precedence over the saved one. */
  apiKey: string | undefined
  baseUrl: string | undefined
  /** File that `subtext login` writes. */
  configFile: string
  proxies?: ProxySettings
  /** The terminal cannot redraw lines. */
  isDumb?: boolean
  /** Whether output is colored. Undefined: if it goes to a terminal. */
  hasColor?: boolean
}

/** Follows the XDG Base Directory Specification, where the platform has no other convention. */
export function readEnvironment(env: NodeJS.ProcessEnv = process.env): Environment {
  const configHome = env.XDG_CONFIG_HOME || env.APPDATA || join(homedir(), '.config')
  return {
    apiKey: env.SUBTEXT_API_KEY || env.SERVICE_API_KEY,
    baseUrl: env.SUBTEXT_API_BASE || env.SERVICE_API_BASE,
    configFile: join(configHome, 'subtext', 'config.json'),
    proxies: readProxySettings(env),
    isDumb: env.TERM === 'dumb',
    hasColor: readColor(env),
  }
}

/** Reads https://force-color.org and https://no-color.org. As in Node.js, the former prevails. */
function readColor({ FORCE_COLOR, NO_COLOR, TERM }: NodeJS.ProcessEnv): boolean | undefined {
  if (FORCE_COLOR) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  return NO_COLOR || TERM === 'dumb' ? false : undefined
}
