import type { Response } from 'express'
import type { ModelMessage, Wire } from './answer.ts'
import { buildUsage, countTokens, type WireUsage } from './prompt-cache.ts'

type Json = Record<string, unknown>

/** What a model thinks before it answers. The provider withholds it. */
const THOUGHTS = 'The reader wants {"tldr": []}. I look at line [1] first.'

export const send = (response: Response, type: string, data: Json = {}): void => {
  response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
}

function usageOf(answer: ModelMessage, outputTokens: number): Partial<WireUsage> {
  const { tokens, cacheUse, hidesCacheCounts = false } = answer
  const usage = buildUsage(tokens, cacheUse, outputTokens)
  const { input_tokens, output_tokens } = usage
  return hidesCacheCounts ? { input_tokens, output_tokens } : usage
}

/** Returns an answer that is not streamed. */
export const buildMessage = (answer: ModelMessage): Json => ({
  id: answer.id,
  type: 'message',
  role: 'assistant',
  model: answer.model,
  content: [
    ...(answer.thinks ? [{ type: 'thinking', thinking: '', signature: 'c2lnbmF0dXJl' }] : []),
    ...(answer.text === '' ? [] : [{ type: 'text', text: answer.text, citations: null }]),
  ],
  stop_reason: answer.stopReason,
  stop_sequence: null,
  stop_details: null,
  usage: usageOf(answer, countTokens(answer.text)),
})

/** Returns the message at the beginning of a stream. */
export function buildStart(answer: ModelMessage): Json {
  const { id, model, wire } = answer
  const counts = usageOf(answer, 0)
  switch (wire) {
    case 'provider':
      return { ...buildMessage(answer), content: [], stop_reason: null, usage: usageOf(answer, 1) }
    case 'Ollama':
      return { id, type: 'message', role: 'assistant', model, content: [], usage: counts }
    case 'llama.cpp':
      return {
        id,
        type: 'message',
        role: 'assistant',
        content: [],
        model,
        stop_reason: null,
        stop_sequence: null,
        usage: { cache_read_input_tokens: 0, ...counts },
      }
    // Leaves out what has its default value.
    case 'vLLM':
      return { id, content: [], model, stop_reason: null, stop_sequence: null, usage: counts }
    // Learns the counts of the model behind it at the end.
    case 'LiteLLM':
      return {
        id,
        type: 'message',
        role: 'assistant',
        content: [],
        model,
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 0, output_tokens: 0 },
      }
  }
}

interface ThinkingBlocks {
  /** Index of the text block that follows. */
  textIndex: number
  /** Ends what is still open when the text is complete. */
  close: () => void
}

const start = (response: Response, index: number, content_block: Json): void =>
  send(response, 'content_block_start', { index, content_block })
const stop = (response: Response, index: number): void => send(response, 'content_block_stop', { index })
const add = (response: Response, index: number, delta: Json): void =>
  send(response, 'content_block_delta', { index, delta })

/** Sends the blocks before the text. */
export function sendThinking(response: Response, { wire, thinks }: ModelMessage): ThinkingBlocks {
  const isLate = wire === 'llama.cpp'
  let index = 0
  if (wire === 'LiteLLM') {
    // Every answer begins with a block of text, which is ended as soon as something else arrives.
    start(response, 0, { type: 'text', text: '' })
    stop(response, 0)
    index = 1
  }
  if (!thinks) return { textIndex: index, close: () => {} }
  const at = index
  const signed = wire === 'provider' ? 'c2lnbmF0dXJl' : wire === 'vLLM' ? '0f3a' : wire === 'llama.cpp' ? '' : null
  const close = (): void => {
    if (signed !== null) add(response, at, { type: 'signature_delta', signature: signed })
    stop(response, at)
  }
  start(response, at, { type: 'thinking', thinking: '', ...(wire === 'provider' && { signature: '' }) })
  if (wire !== 'provider') add(response, at, { type: 'thinking_delta', thinking: THOUGHTS })
  if (!isLate) close()
  return { textIndex: at + 1, close: isLate ? close : () => {} }
}

/** Returns the event that ends an answer. */
export function buildEnd(answer: ModelMessage): Json {
  const { stopReason: stop_reason, wire } = answer
  const usage = usageOf(answer, countTokens(answer.text))
  const { input_tokens, output_tokens } = usage
  switch (wire) {
    case 'provider':
      return { delta: { stop_reason, stop_sequence: null, stop_details: null, container: null }, usage }
    case 'llama.cpp':
      return { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens } }
    default:
      return { delta: { stop_reason }, usage: { input_tokens, output_tokens } }
  }
}

/** Ends a stream with an error, or silently. */
export function failStream(response: Response, wire: Wire, errorType: string): void {
  const message = 'Scripted fault.'
  switch (wire) {
    case 'provider':
      send(response, 'error', { error: { type: errorType, message } })
      break
    case 'Ollama':
      break
    case 'llama.cpp':
      response.write(`event: error\ndata: ${JSON.stringify({ code: 500, message, type: 'server_error' })}\n\n`)
      break
    case 'vLLM':
      send(response, 'error', { error: { type: 'internal_error', message } })
      break
    // An event without a name.
    case 'LiteLLM':
      response.write(`data: ${JSON.stringify({ error: { message, type: 'None', param: 'None', code: '500' } })}\n\n`)
  }
  response.end()
}

/** Returns the body of an HTTP error. */
export function buildError(wire: Wire, status: number, type: string, message: string): Json {
  switch (wire) {
    case 'provider':
    case 'Ollama':
      return { type: 'error', error: { type, message }, request_id: 'req_fake' }
    case 'llama.cpp':
      return { error: { code: status, message, type } }
    case 'vLLM':
      return { error: { message, type: 'Bad Request', param: null, code: status } }
    case 'LiteLLM':
      return { error: { message: `litellm.BadRequestError: ${message}`, type: null, param: null, code: `${status}` } }
  }
}
