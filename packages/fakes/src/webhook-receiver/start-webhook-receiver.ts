import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

/** A request as it arrived. Signatures are verified over `body`. */
export interface ReceivedWebhook {
  method: string
  /** Path and query. */
  url: string
  /** Names in lower case. */
  headers: IncomingHttpHeaders
  body: Buffer
  receivedAt: Date
}

export interface WebhookReply {
  /** 204 by default. */
  status?: number
  headers?: Readonly<Record<string, string>>
  body?: string
  delayMs?: number
  /** Delays the response until this resolves. */
  until?: Promise<void>
  /** `reset`: the connection is closed; `hang`: the request is never answered. */
  instead?: 'reset' | 'hang'
}

/** Returns the reply to a request, or a promise of it; `nth` counts requests from 1. */
export type WebhookScript = (webhook: ReceivedWebhook, nth: number) => WebhookReply | Promise<WebhookReply>

export interface WebhookReceiver {
  /** `http://127.0.0.1:port` */
  readonly origin: string
  /** In order of arrival. */
  readonly received: readonly ReceivedWebhook[]
  /** Sets how requests are answered from now on: all in the same way, or each by a script. */
  reply(reply: WebhookReply | WebhookScript): void
  /** Returns the first matching request, including past ones; rejects after `timeoutMs`, four minutes by default. */
  waitFor(matches: (webhook: ReceivedWebhook) => boolean, timeoutMs?: number): Promise<ReceivedWebhook>
  /** Stops the server and closes open connections. */
  close(): Promise<void>
}

/** Leaves time for a machine that is busy with other things. */
const WAIT_TIMEOUT_MS = 240_000

/** Starts a webhook receiver on this machine, for demos and tests. `port` 0 (the default) selects a free port. */
export async function startWebhookReceiver(options: { port?: number; host?: string } = {}): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = []
  const waiting = new Set<(webhook: ReceivedWebhook) => void>()
  let script: WebhookScript = () => ({})
  const server = createServer((request, response) => {
    receive(request)
      .then(async (webhook) => {
        received.push(webhook)
        const reply = script(webhook, received.length)
        for (const check of waiting) check(webhook)
        await sendReply(response, await reply)
      })
      .catch(() => response.destroy())
  })
  const host = options.host ?? '127.0.0.1'
  server.listen(options.port ?? 0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://${host}:${port}`,
    received,
    reply: (next) => {
      script = typeof next === 'function' ? next : () => next
    },
    waitFor: (matches, timeoutMs = WAIT_TIMEOUT_MS) => waitForWebhook(received, waiting, matches, timeoutMs),
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function receive(request: IncomingMessage): Promise<ReceivedWebhook> {
  const body = await buffer(request)
  const { method = '', url = '', headers } = request
  return { method, url, headers, body, receivedAt: new Date() }
}

async function sendReply(response: ServerResponse, reply: WebhookReply): Promise<void> {
  if (reply.delayMs !== undefined) await sleep(reply.delayMs)
  await reply.until
  if (reply.instead === 'hang') return
  if (reply.instead === 'reset') {
    response.destroy()
    return
  }
  response.writeHead(reply.status ?? 204, reply.headers).end(reply.body)
}

function waitForWebhook(
  received: readonly ReceivedWebhook[],
  waiting: Set<(webhook: ReceivedWebhook) => void>,
  matches: (webhook: ReceivedWebhook) => boolean,
  timeoutMs: number,
): Promise<ReceivedWebhook> {
  const seen = received.find(matches)
  if (seen !== undefined) return Promise.resolve(seen)
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => {
      clearTimeout(timer)
      waiting.delete(check)
      end()
    }
    const check = (webhook: ReceivedWebhook) => {
      if (matches(webhook)) settle(() => resolve(webhook))
    }
    const fail = () =>
      reject(new Error(`No matching webhook arrived within ${timeoutMs} ms; ${received.length} others did.`))
    const timer = setTimeout(() => settle(fail), timeoutMs)
    waiting.add(check)
  })
}
