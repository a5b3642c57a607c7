import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { createMcpServer } from '@subtext/mcp'
import {
  type Health,
  type HealthReport,
  HOW_TO_SEND_KEY,
  isApiKey,
  type Logger,
  mcpUrlsOf,
  readOrigin,
  readSentKey,
  type SentKey,
  startServerSpan,
} from '@subtext/runtime'
import { Subtext } from '@subtext/sdk'
import { readAccept } from './accept.ts'
import { createTokenCheck, isAccessToken } from './check-token.ts'
import type { McpEnv } from './env.ts'
import { createFailureCount } from './failed-sign-ins.ts'
import type { McpMetrics } from './metrics.ts'
import { createErrorLog } from './request-errors.ts'
import { CARD_HEADERS, CARD_PATHS, describeServer } from './server-card.ts'

export const MCP_PATH = '/mcp'
/** Describes how to authenticate (RFC 9728). */
export const METADATA_PATH = '/.well-known/oauth-protected-resource'
const METADATA_PATHS = [METADATA_PATH, `${METADATA_PATH}${MCP_PATH}`]
const MAX_BODY_BYTES = 256 * 1024
const LOCAL_HOSTS = new Set(['127.0.0.1', 'localhost', '[::1]'])

type Settings = Pick<
  McpEnv,
  | 'SERVICE_API_BASE'
  | 'MCP_PUBLIC_URL'
  | 'MCP_ALLOWED_ORIGINS'
  | 'MCP_PORT'
  | 'PUBLIC_BASE_URL'
  | 'DASHBOARD_ENABLED'
  | 'TRUST_PROXY_HOPS'
  | 'RATE_LIMIT_ADDRESS'
>

interface AppParts {
  log: Pick<Logger, 'info' | 'warn'>
  health: Health
  metrics: Pick<McpMetrics, 'http' | 'toolCalled'>
  /** Aborted when the process is about to end. */
  draining: AbortSignal
}

export interface McpApp {
  handle: RequestListener
  /** Ends the calls that are in progress. */
  close(): Promise<void>
}

/**
 * Creates the MCP endpoint: streamable HTTP, without sessions, for clients of both eras of the protocol. Every request carries
 * the user's own API key or access token, which is passed on to the API and kept nowhere.
 */
export function createApp(settings: Settings, { log, health, metrics, draining }: AppParts): McpApp {
  const errors = createErrorLog(log)
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const subtext = new Subtext({
        apiKey: authInfo?.token,
        baseUrl: settings.SERVICE_API_BASE,
        fetch: fetchWithOrigin,
      })
      return createMcpServer(subtext, { onToolCall: metrics.toolCalled, draining })
    },
    { maxRequestBodySize: MAX_BODY_BYTES, onerror: errors.add },
  )
  const serve = toNodeHandler(handler, { maxRequestBodySize: MAX_BODY_BYTES, onerror: errors.add })
  const isActive = createTokenCheck(settings.SERVICE_API_BASE)
  const countFailure = createFailureCount(settings.RATE_LIMIT_ADDRESS)
  const allowed = new Set(settings.MCP_ALLOWED_ORIGINS)
  if (settings.MCP_PUBLIC_URL) allowed.add(new URL(settings.MCP_PUBLIC_URL).origin)

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = pathOf(request)
    if (READABLE.has(path)) return sendReadable({ settings, health }, request, response)
    if (!isMcpPath(path)) return sendJson(response, 404, { error: `Not found. The MCP endpoint is ${MCP_PATH}.` })
    const { origin } = request.headers
    if (!isAllowedOrigin(origin, allowed)) {
      return sendJson(response, 403, { error: 'This origin is not allowed. See MCP_ALLOWED_ORIGINS.' })
    }
    if (origin !== undefined) allowOrigin(response, origin)
    if (request.method === 'OPTIONS' && origin !== undefined) return void response.writeHead(204).end()
    // Without sessions, there is nothing to open with GET or end with DELETE.
    if (request.method !== 'POST') return refuseMethod(response, 'POST')
    const sent = readSentKey(request.headersDistinct)
    // Clients that sign people in send their first request without a token, to learn where to get one.
    if (!sent) return refuse(settings, request, response, { error: NO_KEY })
    const refusal = await checkSentKey(sent, isActive)
    if (refusal) {
      const retryAfter = countFailure(addressOf(request, settings.TRUST_PROXY_HOPS))
      if (retryAfter !== null) return refuseForNow(response, retryAfter)
      return refuse(settings, request, response, refusal)
    }
    const { key: token } = sent as { key: string }
    request.headers.accept = readAccept(request.headers.accept)
    response.setHeader('X-Accel-Buffering', 'no')
    const authenticated = Object.assign(request, { auth: { token, clientId: 'api', scopes: [] } })
    await errors.watch(request, response, () => serve(authenticated, response))
  }
  return {
    handle: (request, response) => {
      const span = startServerSpan(request)
      metrics.http.watch(
        request,
        response,
        () => routeOf(request),
        (status) => span.endWith(routeOf(request), status),
      )
      const handleOrFail = async (): Promise<void> => {
        try {
          await handle(request, response)
        } catch (error) {
          log.warn('request failed', { error })
          if (response.headersSent) response.destroy()
          else sendJson(response, 500, { error: 'Internal error.' })
        }
      }
      void span.run(handleOrFail, { request_id: randomUUID() })
    },
    close: () => handler.close(),
  }
}

/** Passes on the ID and trace of the current request, so that the API's log lines and traces name it. */
const fetchWithOrigin: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers)
  const { requestId, traceparent } = readOrigin()
  if (requestId) headers.set('X-Request-Id', requestId)
  if (traceparent) headers.set('traceparent', traceparent)
  return fetch(input, { ...init, headers })
}

const pathOf = ({ url }: IncomingMessage): string => url?.split('?')[0] ?? ''

/** Some clients add a slash to the URL that they are given. */
const isMcpPath = (path: string): boolean => path === MCP_PATH || path === `${MCP_PATH}/`

/** Returns what is wrong with a key or token, or null if the API takes it. */
async function checkSentKey(sent: SentKey, isActive: (token: string) => Promise<boolean>): Promise<Refusal | null> {
  if ('problem' in sent) return { error: sent.problem }
  const { key, header } = sent
  const isKey = isApiKey(key)
  if (!isKey && (header === 'X-API-Key' || key.startsWith('sk_')))
    return { error: notAKey(header), code: 'invalid_token' }
  if (!isKey && !isAccessToken(key)) return { error: INVALID_TOKEN, code: 'invalid_token' }
  if (await isActive(key)) return null
  return { error: isKey ? INVALID_KEY : INVALID_TOKEN, code: 'invalid_token' }
}

/** Returns the address of the client: behind trusted proxies, the one that the first of them has seen. */
function addressOf({ socket, headersDistinct }: IncomingMessage, trustedHops: number): string {
  const forwarded = (headersDistinct['x-forwarded-for'] ?? [])
    .join(',')
    .split(',')
    .map((address) => address.trim())
  const seen = [socket.remoteAddress ?? '', ...forwarded.filter((address) => address !== '').reverse()]
  return seen[Math.min(trustedHops, seen.length - 1)] ?? ''
}

/** Paths that need no key. */
const READABLE = new Set(['/health/live', '/health/ready', ...METADATA_PATHS, ...CARD_PATHS])

/** Answers the health checks, and describes the server to clients. */
async function sendReadable(
  { settings, health }: { settings: Settings; health: Health },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '', headers } = request
  const path = pathOf(request)
  const isMetadata = METADATA_PATHS.includes(path)
  // Clients in web pages read it from other origins.
  if (isMetadata) allowOrigin(response, '*')
  if (isMetadata && method === 'OPTIONS') return void response.writeHead(204).end()
  if (!['GET', 'HEAD'].includes(method)) return refuseMethod(response, 'GET, HEAD')
  if (path === '/health/live') return sendReport(response, health.live())
  if (path === '/health/ready') return sendReport(response, await health.ready())
  if (isMetadata) return sendJson(response, 200, describeResource(settings, headers.host))
  for (const [name, value] of Object.entries(CARD_HEADERS)) response.setHeader(name, value)
  sendJson(response, 200, describeServer(resourceOf(settings, headers.host)))
}

function routeOf(request: IncomingMessage): string {
  const path = pathOf(request)
  if (isMcpPath(path)) return MCP_PATH
  return READABLE.has(path) ? path : 'unknown'
}

/** Returns the URL of the MCP server with the host name that the client uses, if it is one of the server's names. */
function resourceOf(settings: Settings, host: string | undefined): string {
  const urls = mcpUrlsOf(settings)
  return urls.find((url) => new URL(url).host === host) ?? urls[0]
}

/** Describes the MCP server and who issues access tokens for it (RFC 9728). */
const describeResource = (settings: Settings, host: string | undefined) => ({
  resource: resourceOf(settings, host),
  resource_name: 'Subtext',
  bearer_methods_supported: ['header'],
  ...(settings.DASHBOARD_ENABLED && {
    authorization_servers: [settings.PUBLIC_BASE_URL ?? settings.SERVICE_API_BASE],
    scopes_supported: ['read', 'write'],
  }),
})

/** Lets web pages of an origin call the server and read its answers. They send the key themselves: there are no cookies. */
function allowOrigin(response: ServerResponse, origin: string): void {
  response.setHeader('Access-Control-Allow-Origin', origin)
  if (origin !== '*') response.setHeader('Vary', 'Origin')
  response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST')
  response.setHeader('Access-Control-Allow-Headers', REQUEST_HEADERS)
  response.setHeader('Access-Control-Expose-Headers', 'WWW-Authenticate, MCP-Protocol-Version')
}

/** What clients send; `*` would not include `Authorization`. */
const REQUEST_HEADERS =
  'Authorization, X-API-Key, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID'

const NO_KEY = 'Sign in, or send your API key as `Authorization: Bearer sk_...`.'
const notAKey = (header: string): string =>
  `\`${header}\` does not contain an API key. A key is \`sk_\` followed by 64 hexadecimal digits in lower case. ${HOW_TO_SEND_KEY}`
const INVALID_KEY =
  'The API key is unknown, expired, revoked or disabled. Check that `Authorization: Bearer` contains the right one.'
const INVALID_TOKEN = 'The access token is unknown, expired, revoked, or was issued for another service.'

interface Refusal {
  error: string
  /** As in RFC 6750. */
  code?: 'invalid_token'
}

/** Tells a client what is wrong with its key or token, and where to get one. */
function refuse(
  settings: Settings,
  request: IncomingMessage,
  response: ServerResponse,
  { error, code }: Refusal,
): void {
  const metadata = `${new URL(resourceOf(settings, request.headers.host)).origin}${METADATA_PATH}`
  response.setHeader('WWW-Authenticate', `Bearer ${code ? `error="${code}", ` : ''}resource_metadata="${metadata}"`)
  sendJson(response, 401, { error })
}

function refuseForNow(response: ServerResponse, retryAfterSeconds: number): void {
  response.setHeader('Retry-After', String(retryAfterSeconds))
  sendJson(response, 429, { error: 'Too many requests without a valid key or token. Try again later.' })
}

/** Only browsers send an origin. Those of this machine are allowed: a tool such as the MCP inspector runs there. */
function isAllowedOrigin(origin: string | undefined, allowed: ReadonlySet<string>): boolean {
  if (origin === undefined || allowed.has(origin)) return true
  return URL.canParse(origin) && LOCAL_HOSTS.has(new URL(origin).hostname)
}

function refuseMethod(response: ServerResponse, allowed: 'POST' | 'GET, HEAD'): void {
  response.setHeader('Allow', allowed)
  sendJson(response, 405, { error: `Use ${allowed.replace(', ', ' or ')}.` })
}

const sendReport = (response: ServerResponse, { ok, body }: HealthReport): void =>
  sendJson(response, ok ? 200 : 503, body)

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}
