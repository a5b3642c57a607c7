import { AsyncLocalStorage } from 'node:async_hooks'
import type { TraceContext } from './tracing/trace-context.ts'

export type LogFields = Record<string, unknown>

interface WorkContext {
  logFields: LogFields
  trace: TraceContext | null
}

/** One store for everything, because entering a store costs much more than an object does. */
const current = new AsyncLocalStorage<WorkContext>()

/** Runs `work` and adds `fields`, such as a request or job ID, to every log line written by it. */
export const withLogFields = <T>(fields: LogFields, work: () => T): T => runInTrace(readTrace(), fields, work)

/** Works like `withLogFields`, and makes `trace` what `readTrace` returns. */
export const runInTrace = <T>(trace: TraceContext | null, fields: LogFields, work: () => T): T =>
  current.run({ logFields: { ...readLogFields(), ...fields }, trace }, work)

/** Returns the fields that are added to log lines written now. */
export const readLogFields = (): LogFields => current.getStore()?.logFields ?? {}

/** Returns the context of the current span, or null if there is none. */
export const readTrace = (): TraceContext | null => current.getStore()?.trace ?? null
