import { Writable } from 'node:stream'
import winston from 'winston'
import { type LogFields, readLogFields } from './work-context.ts'

export interface Logger {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

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
/**
 * Values of headers that the runtime refuses, which its error shows in full, API keys, webhook secrets, provider keys, bearer
 * tokens and credentials in URLs.
 */
const SECRET_VALUES =
  /(?<=\bHeaders\.\w+: ")[\s\S]+?(?=" is an invalid|$)|\b(?:sk_[0-9a-f]{16,}|whsec_[\w+/=]+|sk-[\w-]{16,}|Bearer\s+\S+)|(?<=:\/\/)[^/\s@]+(?=@)/gi
const MAX_DEPTH = 6
const MAX_TEXT = 4_000

/** Returns the beginning of a text without secrets that can be told by their form. */
export const redactText = (text: string): string => text.slice(0, MAX_TEXT).replace(SECRET_VALUES, '[redacted]')

/** Returns a copy of `value` that is safe to log: redacts secrets by name and by form, expands errors and limits the size. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value)
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
  const shown: LogFields = {}
  for (const [name, field] of Object.entries(value)) {
    shown[name] = SECRET_NAMES.has(name.toLowerCase()) ? '[redacted]' : redact(field, depth + 1)
  }
  return shown
}

/** Control characters that JSON leaves as they are, and those that break lines or change the direction of text. */
const STEERING = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g
const escapeCharacter = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Under this symbol, transports find the text to write (`MESSAGE` of triple-beam). */
const MESSAGE = Symbol.for('message')

// The transport reads the level from a symbol of this object, so it must be changed in place. A redacted value has neither
// cycles nor large integers, so `JSON.stringify` suffices. Winston's serializer takes several times as long.
const line = winston.format((info) => {
  const { level, message, ...fields } = info
  const shown = redact({ timestamp: new Date().toISOString(), level, message, ...readLogFields(), ...fields })
  return Object.assign(info, { [MESSAGE]: JSON.stringify(shown).replace(STEERING, escapeCharacter) })
})

let waiting = ''

function flush(): void {
  const text = waiting
  waiting = ''
  if (text !== '') process.stdout.write(text)
}

/**
 * Writes all lines of one turn of the event loop at once, because every write to a file or pipe is a system call that blocks.
 * On exit, the remaining lines are written, even after an uncaught error.
 */
const output = new Writable({
  decodeStrings: false,
  write(text: string, _encoding, done) {
    if (waiting === '') setImmediate(flush)
    waiting += text
    done()
  },
})
process.once('exit', flush)

/** Creates a logger that writes JSON to standard output, one object per line. */
export const createLogger = (service: string, level: string): Logger =>
  winston.createLogger({
    level,
    silent: level === 'silent',
    defaultMeta: { service },
    format: line(),
    transports: [new winston.transports.Stream({ stream: output })],
  })
