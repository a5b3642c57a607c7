import { ApiEnv } from '@subtext/api/env'
import { McpEnv } from '@subtext/mcp-server/env'
import { envIssues } from '@subtext/runtime'
import { WebhooksEnv } from '@subtext/webhooks/env'
import { WorkerEnv } from '@subtext/worker/env'
import type { z } from 'zod'

export type App = 'api' | 'worker' | 'webhooks' | 'mcp'

const SCHEMAS: Record<App, z.ZodObject> = { api: ApiEnv, worker: WorkerEnv, webhooks: WebhooksEnv, mcp: McpEnv }

export const APPS = Object.keys(SCHEMAS) as App[]

/** How long a process may take to exit after the grace period of its work (`runService`). */
export const EXIT_SECONDS = 10

/** Variables that Node.js reads, not the service. */
const RUNTIME_SETTINGS = ['NODE_ENV', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'TZ']

/** The programs of the image by path, with the app whose settings each of them reads. */
export const PROGRAMS: Record<string, App> = {
  'dist/api/main.js': 'api',
  'dist/worker/main.js': 'worker',
  'dist/worker/canary.js': 'worker',
  'dist/worker/purge.js': 'worker',
  'dist/webhooks/main.js': 'webhooks',
  'dist/mcp/main.js': 'mcp',
  'dist/standalone/migrate.js': 'worker',
}

/** Settings that are safe where strangers can reach the service, if they differ from the defaults. */
export const PRODUCTION_SETTINGS: Record<string, string> = {
  HTTPS_ONLY: 'true',
  WEBHOOK_HTTPS_ONLY: 'true',
  SAMPLE_VIDEOS: 'false',
}

/** Returns whether an app reads a setting. */
export const isSettingOf = (app: App, name: string): boolean =>
  name in SCHEMAS[app].shape || RUNTIME_SETTINGS.includes(name)

/** Returns whether any app reads a setting. */
export const isSetting = (name: string): boolean => APPS.some((app) => isSettingOf(app, name))

/** Returns whether a setting holds a secret, alone or within a URL. */
export const isSecretSetting = (name: string): boolean =>
  /PASSWORD|SECRET|API_KEY|PROXY_URLS|HTTPS?_PROXY|OTLP_HEADERS|(DATABASE|REDIS|SMTP|BLOB_STORE)_URL/.test(name)

/** Lists the settings of an app. */
export const listSettings = (app: App): string[] => Object.keys(SCHEMAS[app].shape)

/** Lists the settings of an app that hold secrets. */
export const listSecretSettings = (app: App): string[] => listSettings(app).filter(isSecretSetting)

/** Returns the problems that an app finds in its settings, including missing ones. */
export const settingIssues = (app: App, settings: Record<string, string>): string[] => envIssues(SCHEMAS[app], settings)
