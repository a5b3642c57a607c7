import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ApiEnv } from '@subtext/api/env'
import { EnvError, envIssues } from '@subtext/runtime'
import { WebhooksEnv } from '@subtext/webhooks/env'
import { WorkerEnv } from '@subtext/worker/env'
import type { z } from 'zod'

/** Top of the repository. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
/**
 * Where the embedded servers keep their data, and where a running service says how to reach them; `SUBTEXT_DATA_DIR`
 * names another place, relative to the top of the repository.
 */
export const DATA_DIR = resolve(ROOT, process.env.SUBTEXT_DATA_DIR || '.data')

export type Settings = Record<string, string>

/** Schemas of every process of the service. */
export const APP_SCHEMAS: Record<string, z.ZodObject> = { api: ApiEnv, worker: WorkerEnv, webhooks: WebhooksEnv }

/** Settings from outside, as the processes get them. */
export const readSettings = (): Settings =>
  Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => Boolean(entry[1])))

/** What `npm start` sees to when it is not given. */
const UNSET = {
  DATABASE_URL: 'postgres://unset',
  REDIS_URL: 'redis://unset',
  WEBHOOK_SECRET_KEY: '0'.repeat(64),
}

/** Throws `EnvError` with the complaints of all processes at once. What `npm start` sees to may still be missing. */
export function assertUsable(settings: Settings): void {
  const complete = { ...UNSET, ...settings }
  const issues = Object.values(APP_SCHEMAS).flatMap((schema) => envIssues(schema, complete))
  if (issues.length > 0) throw new EnvError([...new Set(issues)])
}

/** The surroundings a process needs (PATH and the like) without any setting of the service. */
export function readSurroundings(): Settings {
  const names = new Set(Object.values(APP_SCHEMAS).flatMap((schema) => Object.keys(schema.shape)))
  return Object.fromEntries(Object.entries(readSettings()).filter(([name]) => !names.has(name)))
}
