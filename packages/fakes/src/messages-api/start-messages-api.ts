import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import express, { type Request, type Response } from 'express'
import type { ModelMessage, Wire } from './answer.ts'
import { createFaultPlan, type Fault, type FaultOptions } from './faults.ts'
import {
  buildUsage,
  type CacheUse,
  countTokens,
  createPromptCache,
  hashPrompt,
  measurePrompt,
  type PromptTokens,
  type WireUsage,
} from './prompt-cache.ts'
import { findRequestProblem, type MessagesRequest, selectInstruction } from './request.ts'
import {
  cutPrompt,
  findRefusal,
  readAs,
  type ServerKind,
  type ServerTraits,
  traitsOf,
  wrapAnswer,
} from './server-kinds.ts'
import { beginStream, endStream, sendBlocks, sendPaced, sendPieces, sendPings } from './stream-answer.ts'
import { buildError, buildMessage, failStream } from './wires.ts'
import { writeAnswer } from './write-answer.ts'

export interface RecordedCall {
  /** Milliseconds since the epoch. */
  arrivedAt: number
  model: string
  /** Hash of the model, the system prompt and everything up to the last `cache_control`; `null` when nothing is cached. */
  prefixHash: string | null
  cacheUse: CacheUse
  /** Hash of the whole prompt, cached or not. Identical calls have identical hashes. */
  promptHash: string
  /** The last text block. */
  instruction: string
  /** The request as it was sent. */
  body: MessagesRequest
  /** Usage billed for the call; `null` when it failed. */
  usage: WireUsage | null
  /** Whether the connection closed before the whole answer was sent. */
  aborted: boolean
}

export interface MessagesApi {
  /** The value for `baseURL` or `ANTHROPIC_BASE_URL`. */
  baseUrl: string
  /** Valid calls to `POST /v1/messages` in order of arrival, including failed ones. */
  calls: RecordedCall[]
  /** Makes the next matching call, or the next `times` calls, fail with this fault. */
  failNext(fault: Fault, options?: FaultOptions): void
  /** Cancels all planned faults. */
  forgetFaults(): void
  close(): Promise<void>
}

export interface MessagesApiOptions {
  /** 0, the default, selects a free port. */
  port?: number
  host?: string
  /** Plays a server that speaks the API in part. Default: the provider's own. */
  kind?: ServerKind
  /** Prefixes of fewer tokens are not cached. */
  minCacheTokens?: number
  /** Longer prompts are refused with 400. */
  contextTokens?: number
  /** Further concurrent calls are refused with 429. */
  maxConcurrent?: number
}

const MIN_CACHE_TOKENS = 1_024
const CONTEXT_TOKENS = 1_000_000

const ERROR_TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}
const MAX_BODY = '32mb'
const RETRY_SOON = { 'retry-after-ms': '200' }

function sendError(
  response: Response,
  fault: Extract<Fault, { status: number }>,
  message: string,
  wire: Wire = 'provider',
): void {
  const { status, errorCode, headers = {} } = fault
  const type = fault.errorType ?? ERROR_TYPES[status] ?? 'api_error'
  const { error, ...rest } = buildError(wire, status, type, message)
  const details = errorCode === undefined ? {} : { details: { error_code: errorCode } }
  response.set(headers).status(status)
  response.json({ ...rest, error: { ...(error as object), ...details } })
}

const hasKey = (request: Request): boolean =>
  Boolean(request.get('x-api-key')) || /^Bearer .+/.test(request.get('authorization') ?? '')

const buildCall = (body: MessagesRequest, prefixHash: string | null, cacheUse: CacheUse): RecordedCall => ({
  arrivedAt: Date.now(),
  model: body.model,
  prefixHash,
  cacheUse,
  promptHash: hashPrompt(body),
  instruction: selectInstruction(body),
  body,
  usage: null,
  aborted: false,
})

function writtenBy(request: MessagesRequest, fault: Fault | null, { wrapping }: ServerTraits): string {
  if (fault?.kind === 'answer') return fault.text
  if (fault?.kind === 'paced') return fault.text
  if (fault?.kind === 'pieces') return fault.pieces.filter((piece) => typeof piece === 'string').join('')
  const written = writeAnswer(request, fault?.kind === 'obey')
  return wrapAnswer(written, written.startsWith('{'), wrapping)
}

interface Reading {
  /** The request as the server understands it. */
  request: MessagesRequest
  tokens: PromptTokens
  traits: ServerTraits
}

function buildAnswer(
  call: RecordedCall,
  fault: Fault | null,
  id: string,
  { request, tokens, traits }: Reading,
): ModelMessage {
  const written = writtenBy(request, fault, traits)
  const base = {
    id,
    model: call.model,
    text: written,
    thinks: call.body.output_config?.effort !== 'low',
    stopReason: 'end_turn' as const,
    tokens,
    cacheUse: call.cacheUse,
    hidesCacheCounts: traits.hidesCacheCounts,
    wire: traits.wire,
  }
  switch (fault?.kind) {
    case 'refusal':
      return { ...base, text: '', thinks: false, stopReason: 'refusal' }
    case 'cut':
      return { ...base, text: written.slice(0, Math.ceil(written.length / 2)), stopReason: 'max_tokens' }
    case 'window-exceeded':
      return { ...base, text: '', stopReason: 'model_context_window_exceeded' }
    default:
      return base
  }
}

/** Streams the whole answer, or as much of it as the fault allows. */
async function playStream(response: Response, answer: ModelMessage, fault: Fault | null): Promise<void> {
  beginStream(response, answer)
  switch (fault?.kind) {
    case 'stream-error':
      sendBlocks(response, answer, 0.5)
      failStream(response, answer.wire, fault.errorType ?? 'overloaded_error')
      return
    case 'dropped':
      sendBlocks(response, answer, 0.5)
      // Flushes the part that was sent before the connection is closed.
      setImmediate(() => response.destroy())
      return
    case 'stall':
      sendBlocks(response, answer, 0.5)
      return
    case 'pings':
      await sendPings(response, fault)
      break
    case 'pieces':
      await sendPieces(response, fault.pieces)
      if (fault.end === 'dropped') setImmediate(() => response.destroy())
      else if (fault.end !== 'stall' && !response.destroyed) endStream(response, answer)
      return
    case 'paced':
      await sendPaced(response, fault)
      if (!response.destroyed) endStream(response, answer)
      return
    default:
  }
  if (response.destroyed) return
  sendBlocks(response, answer)
  endStream(response, answer)
}

const CHARACTERS_PER_TOKEN = 4

/** Returns a request as the server understands it. */
function readRequest(body: MessagesRequest, traits: ServerTraits, minCacheTokens: number): Reading {
  const read = readAs(body, traits)
  const request = traits.overflow === 'cut' ? cutPrompt(read, traits.contextTokens * CHARACTERS_PER_TOKEN) : read
  return { request, tokens: measurePrompt(request, minCacheTokens), traits }
}

/**
 * Starts a local Messages API with server-sent events, plain JSON, a prompt cache, token counts and scripted faults.
 * Answers conform to the requested schema and consist of the prompt's own numbered lines.
 */
export async function startMessagesApi({
  kind,
  port = 0,
  host = '127.0.0.1',
  minCacheTokens = MIN_CACHE_TOKENS,
  contextTokens = CONTEXT_TOKENS,
  maxConcurrent = Number.POSITIVE_INFINITY,
}: MessagesApiOptions = {}): Promise<MessagesApi> {
  const traits = traitsOf(kind)
  const calls: RecordedCall[] = []
  const faults = createFaultPlan()
  const cache = createPromptCache()
  let open = 0

  const app = express()
  app.use(express.json({ limit: MAX_BODY }))
  app.use((request, response, next) => {
    if (hasKey(request)) next()
    else sendError(response, { status: 401 }, 'An API key is required.')
  })
  app.post('/v1/messages/count_tokens', (request, response) => {
    const problem = findRequestProblem(request.body, false)
    if (problem) return sendError(response, { status: 400 }, problem)
    const { prefixTokens, restTokens } = measurePrompt(request.body)
    response.json({ input_tokens: prefixTokens + restTokens })
  })
  app.post('/v1/messages', async (request, response) => {
    const problem = findRequestProblem(request.body, true)
    if (problem) return sendError(response, { status: 400 }, problem)
    const body: MessagesRequest = request.body
    const refusal = findRefusal(body, traits)
    if (refusal) return sendError(response, { status: 400 }, refusal, traits.wire)
    const reading = readRequest(body, traits, minCacheTokens)
    const { tokens } = reading
    const call = buildCall(body, tokens.prefixHash, cache.lookUp(tokens.prefixHash))
    calls.push(call)
    open++
    response.on('close', () => {
      open--
      call.aborted = !response.writableFinished
    })
    if (open > maxConcurrent) {
      return sendError(response, { status: 429, headers: RETRY_SOON }, 'Too many concurrent requests.')
    }
    const length = tokens.prefixTokens + tokens.restTokens
    if (length > contextTokens) return sendError(response, { status: 400 }, `prompt is too long: ${length} tokens`)
    if (length + body.max_tokens > traits.contextTokens && traits.overflow === 'refused') {
      const message = `This model's maximum context length is ${traits.contextTokens} tokens. However, you requested ${length} tokens.`
      return sendError(response, { status: 400 }, message)
    }
    const fault = faults.take(call.instruction)
    if (fault && 'status' in fault) return sendError(response, fault, fault.message ?? 'Scripted fault.', traits.wire)
    const answer = buildAnswer(call, fault, `msg_fake_${calls.length}`, reading)
    call.usage = buildUsage(tokens, call.cacheUse, countTokens(answer.text))
    if (fault?.kind === 'slow' || fault?.kind === 'paced') await sleep(fault.delayMs)
    if (fault?.kind === 'held') await fault.until
    if (fault?.kind === 'hang' || response.destroyed) return
    cache.add(tokens.prefixHash)
    if (body.stream === true) await playStream(response, answer, fault)
    else response.json(buildMessage(answer))
  })

  const server = app.listen(port, host)
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  return {
    baseUrl: `http://${host}:${address.port}`,
    calls,
    failNext: faults.add,
    forgetFaults: faults.forget,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
