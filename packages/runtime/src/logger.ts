import { AsyncLocalStorage } from 'node:async_hooks'
import winston from 'winston'

export type LogFields = Record<string, unknown>

export interface Logger {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

const bound = new AsyncLocalStorage<LogFields>()

/** Runs `work` with `fields` (such as a request or job id) on every log line written within it. */
export const withLogFields = <T>(fields: LogFields, work: () => T): T =>
  bound.run({ ...bound.getStore(), ...fields }, work)

const SECRET_NAMES = new Set([
  'authorization',
  'x-api-key',
  'api_key',
  'apikey',
  'cookie',
  'set-cookie',
  'password',
  'secret',
  'token',
  'custom_instructions',
])
/** API keys, webhook secrets, provider keys, bearer values and the user part of URLs. */
const SECRET_VALUES = /\b(?:sk_[0-9a-f]{16,}|whsec_[\w+/=]+|sk-[\w-]{16,}|Bearer\s+\S+)|(?<=:\/\/)[^/\s@]+(?=@)/gi
const MAX_DEPTH = 6
const MAX_TEXT = 4_000

/** A copy of `value` that is safe to print: secrets blanked by name and by shape, errors unfolded, size bounded. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.slice(0, MAX_TEXT).replace(SECRET_VALUES, '[redacted]')
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) return '[deep]'
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Error) {
    const { name, message, stack, cause } = value
    const code = 'code' in value ? value.code : undefined
    return redact({ name, message, code, stack, ...(cause !== undefined && { cause }) }, depth + 1)
  }
  if (Array.isArray(value)) return value.slice(0, 100).map((item) => redact(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      SECRET_NAMES.has(name.toLowerCase()) ? '[redacted]' : redact(field, depth + 1),
    ]),
  )
}

// The transport finds the level by a symbol on the very object, so it is filled in place.
const line = winston.format((info) =>
  Object.assign(info, redact({ timestamp: new Date().toISOString(), ...bound.getStore(), ...info })),
)

/** Structured JSON lines on standard output, one object a line. */
export const createLogger = (service: string, level: string): Logger =>
  winston.createLogger({
    level,
    silent: level === 'silent',
    defaultMeta: { service },
    format: winston.format.combine(line(), winston.format.json()),
    transports: [new winston.transports.Stream({ stream: process.stdout })],
  })
