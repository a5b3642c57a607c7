import { setImmediate as nextTurn } from 'node:timers/promises'
import { jest } from '@jest/globals'
import { TASKS_EXTENSION_ID_V2 } from '@modelcontextprotocol/ext-tasks/core/v2'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { Subtext } from '@subtext/sdk'
import { createMcpServer, type McpServerSettings } from '../create-server.ts'

interface SentRequest {
  method: string
  headers: Record<string, string>
  signal: AbortSignal
}

/** Answers a request to the API. `path`: below `/videos`. May answer late or, with `silence`, never. */
export type Api = (path: string, request: SentRequest) => Response | Promise<Response>

export const data = (value: object, status = 200): Response => Response.json({ success: true, data: value }, { status })

/** A failure that can pass, after which the API requests a pause of `retryAfter` seconds. */
export function failure(status: number, code: string, retryAfter: number): Response {
  const error = { code, message: `Message of ${code}.`, retryable: true }
  const headers = { 'Retry-After': String(retryAfter) }
  return Response.json({ success: false, error }, { status, headers })
}

export const silence = (): Promise<Response> => new Promise(() => undefined)
export const later = (ms: number, response: Response): Promise<Response> =>
  new Promise((resolve) => setTimeout(() => resolve(response), ms))

/** The stream of a job's events. */
export const stream = (event: string, job: object): Response =>
  new Response(`id: 1\nevent: ${event}\ndata: ${JSON.stringify(job)}\n\n`, {
    headers: { 'Content-Type': 'text/event-stream' },
  })

/** A response whose body never ends. */
export const endless: Api = (_, { signal }) => {
  const body = new ReadableStream({
    start: (controller) => signal.addEventListener('abort', () => controller.error(signal.reason)),
  })
  return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
}

export type ServerCall = [method: string, params: Record<string, unknown>, takesTasks?: boolean]

interface Answer {
  /** What the client gets: the result, or the error of the protocol. */
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: the shape differs from method to method
  result: any
  /** Seconds after which it got it. */
  seconds: number
  /** The requests to the API, as method and path. */
  requests: string[]
}

/**
 * Sends a request to an MCP server, as a client that takes tasks or as one that does not. Time is that of jest's fake timers,
 * which `useVirtualTime` installs.
 */
export async function callServer(
  api: Api,
  [method, params, takesTasks = false]: ServerCall,
  settings?: McpServerSettings,
): Promise<Answer> {
  const requests: string[] = []
  const fetch = (url: string, request: SentRequest): Promise<Response> => {
    const path = url.replace(/^.*\/api\/v1\/videos/, '')
    requests.push(`${request.method} ${path}`)
    return new Promise((resolve, reject) => {
      request.signal.addEventListener('abort', () => reject(request.signal.reason))
      Promise.resolve(api(path, request)).then(resolve, reject)
    })
  }
  const subtext = new Subtext({ apiKey: 'sk_x', baseUrl: 'http://127.0.0.1', fetch: fetch as never })
  const handler = createMcpHandler(() => createMcpServer(subtext, settings))
  const startedAt = performance.now()
  let text: string | undefined
  const answered = handler.fetch(write(method, params, takesTasks)).then(async (response) => {
    text = await response.text()
  })
  while (text === undefined && performance.now() - startedAt < GIVE_UP_MS) {
    await nextTurn()
    await jest.advanceTimersByTimeAsync(STEP_MS)
  }
  const seconds = (performance.now() - startedAt) / 1_000
  await handler.close()
  if (text === undefined) throw new Error(`No answer after ${seconds} seconds.`)
  await answered
  const json = text.startsWith('{') ? text : (/^data: (.+)$/m.exec(text)?.[1] ?? '')
  const message = JSON.parse(json)
  return { text, result: message.result ?? message.error, seconds, requests }
}

/** Replaces the timers in each test of a file. What is no timer still needs turns of the event loop. */
export function useVirtualTime(): void {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] }))
  afterEach(() => void jest.useRealTimers())
}

const GIVE_UP_MS = 600_000
const STEP_MS = 100
const VERSION = '2026-07-28'

function write(method: string, params: Record<string, unknown>, takesTasks: boolean): Request {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': VERSION,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': { extensions: takesTasks ? { [TASKS_EXTENSION_ID_V2]: {} } : {} },
  }
  return new Request('http://127.0.0.1/mcp', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': VERSION,
      'Mcp-Method': method,
      'Mcp-Name': String(params.name ?? params.taskId ?? params.uri),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  })
}
