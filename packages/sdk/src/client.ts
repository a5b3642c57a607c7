import { readEnv } from './env.ts'
import { SubtextError } from './errors.ts'
import { createTransport, type ResponseInfo } from './http/transport.ts'
import { Account } from './resources/account.ts'
import { Batches } from './resources/batches.ts'
import { Chat } from './resources/chat.ts'
import { Digests } from './resources/digests.ts'
import { Library } from './resources/library.ts'
import { Operations } from './resources/operations.ts'
import { Sources } from './resources/sources.ts'
import { Feeds, Subscriptions } from './resources/subscriptions.ts'
import { Tables } from './resources/tables.ts'
import { Templates } from './resources/templates.ts'
import { Usage } from './resources/usage.ts'
import { Videos } from './resources/videos.ts'
import { Webhooks } from './resources/webhooks.ts'

export interface SubtextOptions {
  /**
   * API key (`sk_...`). Default: `SUBTEXT_API_KEY`, then `SERVICE_API_KEY`. `null` sends none: in a page of the service itself,
   * the session of the browser is used.
   */
  apiKey?: string | null
  /**
   * URL of the service, with or without `/api/v1`. Default: `SUBTEXT_API_BASE`, then `SERVICE_API_BASE`, then
   * `http://127.0.0.1:3000`.
   */
  baseUrl?: string
  /** Replaces the global `fetch`, for example to use a proxy. */
  fetch?: typeof fetch
  /** Maximum time of each attempt in milliseconds. Default: 60,000. */
  timeoutMs?: number
  /** Number of retries after failures that can pass. Default: 3. */
  maxRetries?: number
  /** Called for every successful response, for example to log request IDs and warnings. */
  onResponse?: (info: ResponseInfo) => void
}

const LOCAL_SERVICE = 'http://127.0.0.1:3000'
const API_PREFIX = '/api/v1'

/** A client of the Subtext API. */
export class Subtext {
  readonly videos: Videos
  readonly batches: Batches
  readonly chat: Chat
  readonly library: Library
  readonly digests: Digests
  readonly sources: Sources
  readonly templates: Templates
  readonly tables: Tables
  readonly subscriptions: Subscriptions
  readonly feeds: Feeds
  readonly usage: Usage
  readonly webhooks: Webhooks
  readonly account: Account
  readonly operations: Operations

  /** @throws SubtextError if there is no API key or the base URL is not an http(s) URL. */
  constructor(options: SubtextOptions = {}) {
    const env = readEnv()
    const apiKey = options.apiKey === undefined ? env.SUBTEXT_API_KEY || env.SERVICE_API_KEY : options.apiKey
    const transport = createTransport({
      apiKey: apiKey === null ? null : checkKey(apiKey),
      baseUrl: completeBaseUrl(options.baseUrl ?? (env.SUBTEXT_API_BASE || env.SERVICE_API_BASE || LOCAL_SERVICE)),
      // Called as a plain function, because `fetch` of browsers refuses any other `this`.
      fetch: options.fetch ?? ((input, init) => fetch(input, init)),
      timeoutMs: options.timeoutMs ?? 60_000,
      maxRetries: options.maxRetries ?? 3,
      onResponse: options.onResponse,
    })
    this.videos = new Videos(transport)
    this.batches = new Batches(transport)
    this.chat = new Chat(transport)
    this.library = new Library(transport)
    this.digests = new Digests(transport)
    this.sources = new Sources(transport)
    this.tables = new Tables(transport)
    this.templates = new Templates(transport)
    this.subscriptions = new Subscriptions(transport)
    this.feeds = new Feeds(transport)
    this.usage = new Usage(transport)
    this.webhooks = new Webhooks(transport)
    this.account = new Account(transport)
    this.operations = new Operations(transport)
  }
}

/** Trims and checks a key. Messages do not repeat the key, unlike those of `fetch` about an invalid header. */
function checkKey(key = ''): string {
  const trimmed = key.trim()
  if (/^[!-~]+$/.test(trimmed)) return trimmed
  const problem = trimmed === '' ? 'No API key' : 'The API key contains characters that no key has'
  throw new SubtextError(`${problem}: pass apiKey, or set SUBTEXT_API_KEY.`, { code: 'UNAUTHORIZED' })
}

function completeBaseUrl(text: string): string {
  // The message does not repeat the URL, which may contain a password.
  if (!/^\s*https?:\/\//i.test(text) || !URL.canParse(text)) throw invalidBaseUrl('must begin with http:// or https://')
  const url = new URL(text)
  if (url.username || url.password) throw invalidBaseUrl('must not contain a user name or a password')
  if (url.search || url.hash) throw invalidBaseUrl('must not contain ? or #')
  const base = url.href.replace(/(?<!\/)\/+$/, '')
  return base.endsWith(API_PREFIX) ? base : base + API_PREFIX
}

const invalidBaseUrl = (problem: string): SubtextError =>
  new SubtextError(`The base URL ${problem}.`, { code: 'VALIDATION_ERROR' })
