import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ApiEnv } from '@subtext/api/env'
import { McpEnv } from '@subtext/mcp-server/env'
import { EnvError, envIssues } from '@subtext/runtime'
import { WebhooksEnv } from '@subtext/webhooks/env'
import { WorkerEnv } from '@subtext/worker/env'
import type { z } from 'zod'
import { findPortConflicts } from './port-conflicts.ts'

/** The top folder of the repository. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
/**
 * The folder where the embedded servers keep their data and a running service publishes their addresses.
 * `SUBTEXT_DATA_DIR` overrides it, relative to the top of the repository.
 */
export const DATA_DIR = resolve(ROOT, process.env.SUBTEXT_DATA_DIR || '.data')

export type Settings = Record<string, string>

/** The settings schemas of all processes of the service. */
export const APP_SCHEMAS: Record<string, z.ZodObject> = {
  api: ApiEnv,
  worker: WorkerEnv,
  webhooks: WebhooksEnv,
  mcp: McpEnv,
}

/** Returns the environment without empty variables, which count as unset. */
export const readSettings = (): Settings =>
  Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => Boolean(entry[1])))

/** Placeholders for what `npm start` provides if it is not set. */
const UNSET = {
  DATABASE_URL: 'postgres://unset',
  REDIS_URL: 'redis://unset',
  WEBHOOK_SECRET_KEY: '0'.repeat(64),
}

/** Throws `EnvError` with the problems of all processes at once. What `npm start` provides may still be missing. */
export function assertUsable(settings: Settings): void {
  const complete = { ...UNSET, ...settings }
  const schemas = Object.values(APP_SCHEMAS)
  const issues = [
    ...schemas.flatMap((schema) => envIssues(schema, complete)),
    ...findPortConflicts(settings, schemas.length),
  ]
  if (issues.length > 0) throw new EnvError([...new Set(issues)])
}

/** Returns the variables that any process needs, such as PATH, without the settings of the service. */
export function inheritedSettings(): Settings {
  const names = new Set(Object.values(APP_SCHEMAS).flatMap((schema) => Object.keys(schema.shape)))
  return Object.fromEntries(Object.entries(readSettings()).filter(([name]) => !names.has(name)))
}
