import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { z } from 'zod'
import { readProxySettings } from './proxied-fetch.ts'
import { withPresentNames } from './renamed-settings.ts'
import { TracingEnv } from './tracing/start-tracing.ts'

/** Thrown when settings in the environment are invalid. The message lists every issue on a line of its own. */
export class EnvError extends Error {
  constructor(issues: string[]) {
    super(`Invalid settings in the environment:\n${issues.map((issue) => `  ${issue}`).join('\n')}`)
    this.name = 'EnvError'
  }
}

const present = (source: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  const proxies = Object.entries(readProxySettings(source)).filter(([, value]) => value)
  const settings = Object.entries(source).filter(([, value]) => value !== '')
  return withPresentNames(Object.fromEntries([...settings, ...proxies]))
}

const FORMATS: Record<string, string> = { url: 'Must be a URL.', regex: 'Has characters that are not allowed.' }

/** Returns a message about what a value must be, if the schema itself has none. */
const describe: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'Is required.'
      return issue.expected === 'int' ? 'Must be a whole number.' : `Must be a ${issue.expected}.`
    case 'too_small':
      return issue.origin === 'string'
        ? `Must have at least ${issue.minimum} characters.`
        : `Must be at least ${issue.minimum}.`
    case 'too_big':
      return issue.origin === 'string'
        ? `Must have at most ${issue.maximum} characters.`
        : `Must be at most ${issue.maximum}.`
    case 'invalid_value':
      return `Must be one of ${issue.values.map(String).join(', ')}.`
    case 'invalid_format':
      return FORMATS[issue.format]
    default:
      return undefined
  }
}

const findIssues = (schema: z.ZodType, settings: NodeJS.ProcessEnv): z.core.$ZodIssue[] =>
  schema.safeParse(settings, { error: describe }).error?.issues ?? []

/** Returns a message for each invalid setting in `source`. An empty value counts as unset, since shells and manifests write it so. */
export function envIssues(schema: z.ZodObject, source: NodeJS.ProcessEnv): string[] {
  const settings = present(source)
  const issues = findIssues(schema, settings)
  if (issues.length === 0) return []
  // Zod compares settings with each other only if each is valid, so the wrong ones are accepted as they are in a second run.
  const accepted = Object.fromEntries(issues.map(({ path }) => [String(path[0]), z.unknown().optional()]))
  const all = [...issues, ...findIssues(schema.safeExtend(accepted), settings)]
  return [...new Set(all.map(({ path, message }) => `${path.join('.')}: ${message}`))]
}

/** Parses `source` with `schema`. Throws `EnvError` with all issues at once. */
export function loadEnv<S extends z.ZodObject>(schema: S, source: NodeJS.ProcessEnv): z.output<S> {
  const issues = envIssues(schema, source)
  if (issues.length > 0) throw new EnvError(issues)
  return schema.parse(present(source))
}

export const flag = (fallback: boolean) => z.stringbool().default(fallback)
export const count = (fallback: number, min: number, max: number) =>
  z.coerce.number().int().min(min).max(max).default(fallback)
export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
)

const KEY_ENTRY = /^(?:([\w.-]{1,32}):)?(?:([0-9a-f]{64})|([\w+/-]{43}=?))$/i

export interface NamedKey {
  id: string
  /** 32 bytes. */
  key: Buffer
}

/** Parses encryption keys, the first of which encrypts. A key without a name is named after a part of its hash. */
export const keyRing = z.string().transform((value, issue): [NamedKey, ...NamedKey[]] => {
  const keys = value.split(',').map((entry) => {
    const [, id, hex, base64] = KEY_ENTRY.exec(entry.trim()) ?? []
    const key = hex ? Buffer.from(hex, 'hex') : Buffer.from(base64 ?? '', 'base64')
    return { id: id ?? createHash('sha256').update(key).digest('hex').slice(0, 8), key }
  })
  const [first, ...others] = keys
  if (keys.some(({ key }) => key.length !== 32)) {
    issue.addIssue('Must be 32 bytes in hexadecimal or base64, or several keys as name:key,name:key.')
  } else if (new Set(keys.map(({ id }) => id)).size < keys.length)
    issue.addIssue('Must not contain two keys with the same name.')
  else if (first) return [first, ...others]
  return z.NEVER
})

export const httpUrl = z.url({ protocol: /^https?$/ })

/** Creates a check of the parts of a URL. One that cannot be parsed is another check's error. */
const withParts =
  (check: (url: URL, text: string) => boolean) =>
  (value: string): boolean =>
    !URL.canParse(value) || check(new URL(value), value)

/** Returns whether paths can be appended to a URL. An empty query or fragment only shows in its text. */
const isBase = withParts(({ username, password }, text) => username + password === '' && !/[?#]/.test(text))

/** The URL of a server to which paths are appended. */
export const baseUrl = httpUrl.refine(isBase, 'Must not contain a user name, a password, ? or #.')

const originUrl = httpUrl
  .refine(
    (value) => isBase(value) && withParts(({ pathname }) => pathname === '/')(value),
    'Must be only a scheme, a host and perhaps a port, such as https://subtext.example.org.',
  )
  .overwrite((value) => value.replace(/\/$/, ''))

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** The address of a server, whose user name and password the drivers decode. */
const serverUrl = (protocol: RegExp) =>
  z.url({ protocol }).refine(
    withParts(({ username, password }) => isEncoded(username) && isEncoded(password)),
    'Has a % in its user name or password that must be written as %25.',
  )

const HOST_NAME = /^[\w.-]+$/

/** A setting of the API and the worker. */
export const sampleVideos = flag(true).describe(
  'Serve the sample videos, whose IDs begin with sbtx-, without asking the video platform. The production files turn it off.',
)

/** A setting of everything that sends requests to addresses that callers name. */
export const webhookAllowPrivate = flag(false).describe(
  'Allow webhooks, and feeds of podcasts, at private addresses. For development only.',
)

/** A setting of the API and the worker. */
export const infographicsEnabled = flag(true).describe(
  'Make infographics. If false, jobs that ask for one complete with a warning.',
)

/** A setting of the API and the MCP server. */
export const signInEnabled = flag(true).describe(
  'Serve the dashboard, sign-in at /auth, and accounts at /api/v1/account.',
)

/** Settings of the API and the MCP server, which clients connect to. */
export const ConnectionEnv = z.object({
  TRUST_PROXY_HOPS: count(0, 0, 10).describe(
    'Number of trusted proxies in front of the API and the MCP server, whose X-Forwarded-* headers are used.',
  ),
  CONNECTION_LIMIT_ADDRESS: count(1_000, 0, 10_000).describe(
    'Maximum number of open connections of a client address; 0 for no limit. Not applied behind trusted proxies, whose connections belong to many clients.',
  ),
  RATE_LIMIT_ADDRESS: count(1_000, 1, 1_000_000_000).describe(
    'Requests per hour for an IP address that sends no valid key.',
  ),
})

/** Returns how many connections a client address may have. */
export const connectionsPerAddress = (env: z.output<typeof ConnectionEnv>): number =>
  env.TRUST_PROXY_HOPS === 0 ? env.CONNECTION_LIMIT_ADDRESS : 0

/** Settings of the processes that name the address of the API. */
export const PublicEnv = z.object({
  PORT: count(3000, 1, 65_535).describe('Port that the API listens on.'),
  PUBLIC_BASE_URL: originUrl.optional().describe('Origin at which callers reach the API. Default: http://HOST:PORT.'),
})

/** Addresses that stand for all of a machine, with one by which it is reached from itself. */
const WILDCARDS: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Returns a host as it is written in a URL: an IPv6 address in brackets. */
export const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/** Returns the origin of a server as seen from its own machine. */
export function localOrigin({ HOST, PORT }: { HOST: string; PORT: number }): string {
  return `http://${hostInUrl(WILDCARDS[HOST] ?? HOST)}:${PORT}`
}

/** Returns an address of this machine. Null if it has none, or if the process may not ask, as in a confined unit of systemd. */
function findOwnAddress(readInterfaces: typeof networkInterfaces): string | null {
  try {
    const addresses = Object.values(readInterfaces()).flat()
    return addresses.find((found) => found && !found.internal && found.family === 'IPv4')?.address ?? null
  } catch {
    return null
  }
}

/** Returns what to set if the API can be reached from other machines, but its links lead to this one. Otherwise null. */
export function describeOpenHost(
  env: z.output<typeof PublicEnv> & { HOST: string },
  readInterfaces = networkInterfaces,
): string | null {
  if (env.PUBLIC_BASE_URL !== undefined || WILDCARDS[env.HOST] === undefined) return null
  const own = findOwnAddress(readInterfaces) ?? '192.0.2.10'
  return `HOST is ${env.HOST} and PUBLIC_BASE_URL is not set, so links, cookies and sign-in work only at ${localOrigin(env)}. For other machines, set PUBLIC_BASE_URL to the address that people type, such as http://${own}:${env.PORT}.`
}

/** Returns the origin at which callers reach the API, without a slash at the end. */
export const publicBaseUrlOf = (env: z.output<typeof PublicEnv> & { HOST: string }): string =>
  env.PUBLIC_BASE_URL ?? localOrigin(env)

/** Settings of every process of the service. */
export const CommonEnv = z.object({
  ...TracingEnv.shape,
  DATABASE_URL: serverUrl(/^postgres(?:ql)?$/).describe('PostgreSQL connection string.'),
  DATABASE_POOL: count(10, 1, 200).describe('Maximum number of database connections of a process.'),
  REDIS_URL: serverUrl(/^rediss?$/).describe('Redis connection string.'),
  QUEUE_PREFIX: z
    .string()
    .regex(/^[\w-]+$/)
    .default('subtext')
    .describe('Prefix of all keys in Redis.'),
  HOST: z
    .string()
    .refine(
      (host) => isIP(host) !== 0 || HOST_NAME.test(host),
      'Must be an IP address without brackets, or a host name.',
    )
    .default('127.0.0.1')
    .describe('Address on which the API, the metrics and the health checks listen.'),
  METRICS_PORT: z.coerce
    .number()
    .int()
    .min(1)
    .max(65_532)
    .optional()
    .describe(
      'Port that serves Prometheus metrics at /metrics and health checks at /health/live and /health/ready. If unset, there is no such port. `npm start` uses it for the API, and the next three ports for the worker, the webhook sender and the MCP server.',
    ),
  SUBTEXT_VERSION: z.string().max(64).default('unknown').describe('Version shown in metrics. The image sets it.'),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info').describe('Minimum log level.'),
  SHUTDOWN_GRACE_SECONDS: count(20, 0, 300).describe(
    'Seconds that running work has to finish after SIGTERM. The process exits within 10 more seconds, even if other services do not respond. `npm start` uses 3 unless it is set, and kills a process 2 seconds later.',
  ),
})

/** Returns a URL without the second slash that an address which ends in one leaves before the path that was appended to it. */
function cleanPath(url: string): string {
  const clean = url.replace(/(?<=[^:/])\/{2,}/g, '/')
  return clean.endsWith('/') ? clean.slice(0, -1) : clean
}

/** Settings of the MCP server and of the API, which issues the access tokens for it. */
export const McpAddressEnv = z.object({
  MCP_PORT: z.coerce.number().int().min(0).max(65_535).default(3001).describe('Port of the MCP server.'),
  MCP_PUBLIC_URL: httpUrl
    .overwrite(cleanPath)
    .optional()
    .describe(
      'URL of the MCP server as clients see it, such as https://mcp.example.org/mcp. Access tokens are bound to it.',
    ),
})

/** Returns the URLs of the MCP server. On the developer's own machine, all names of the machine are the same server. */
export const mcpUrlsOf = ({ MCP_PUBLIC_URL, MCP_PORT }: z.output<typeof McpAddressEnv>): [string, ...string[]] => {
  if (MCP_PUBLIC_URL !== undefined) return [MCP_PUBLIC_URL]
  const [first, ...others] = ['127.0.0.1', 'localhost', '[::1]'] as const
  const urlAt = (host: string): string => `http://${host}:${MCP_PORT}/mcp`
  return [urlAt(first), ...others.map(urlAt)]
}
