import { setTimeout as sleep } from 'node:timers/promises'
import type { Response } from 'express'
import { buildUsage, type CacheUse, countTokens, type PromptTokens, type WireUsage } from './prompt-cache.ts'

export interface Answer {
  id: string
  model: string
  text: string
  /** Whether a thinking block precedes the answer. Newer models send one even when its text is withheld. */
  thinks: boolean
  stopReason: 'end_turn' | 'max_tokens' | 'refusal' | 'model_context_window_exceeded'
  tokens: PromptTokens
  cacheUse: CacheUse
  /** Leaves the counts of cached tokens out of the usage. */
  hidesCacheCounts?: boolean
}

function usageOf({ tokens, cacheUse, hidesCacheCounts = false }: Answer, outputTokens: number): Partial<WireUsage> {
  const usage = buildUsage(tokens, cacheUse, outputTokens)
  const { input_tokens, output_tokens } = usage
  return hidesCacheCounts ? { input_tokens, output_tokens } : usage
}

const CHARACTERS_PER_DELTA = 80

export const buildMessage = (answer: Answer): Record<string, unknown> => ({
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

const send = (response: Response, type: string, data: Record<string, unknown> = {}): void => {
  response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
}

/** Sends the headers, `message_start` and a ping: what a client sees before the first token. */
export function beginStream(response: Response, answer: Answer): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', 'request-id': answer.id })
  const message = {
    ...buildMessage(answer),
    content: [],
    stop_reason: null,
    usage: usageOf(answer, 1),
  }
  send(response, 'message_start', { message })
  send(response, 'ping')
}

/** Sends pings for a while, or until the client disconnects. */
export async function sendPings(response: Response, { forMs, everyMs }: { forMs: number; everyMs: number }) {
  const until = performance.now() + forMs
  for (;;) {
    await sleep(everyMs)
    if (response.destroyed || performance.now() > until) return
    send(response, 'ping')
  }
}

/** Sends the blocks of the answer. With `share` below 1, sends only that share of the text and leaves the block open. */
export function sendBlocks(response: Response, answer: Answer, share = 1): void {
  let index = 0
  if (answer.thinks) {
    send(response, 'content_block_start', { index, content_block: { type: 'thinking', thinking: '', signature: '' } })
    send(response, 'content_block_delta', { index, delta: { type: 'signature_delta', signature: 'c2lnbmF0dXJl' } })
    send(response, 'content_block_stop', { index })
    index++
  }
  const text = answer.text.slice(0, Math.ceil(answer.text.length * share))
  if (text === '') return
  send(response, 'content_block_start', { index, content_block: { type: 'text', text: '', citations: null } })
  for (let start = 0; start < text.length; start += CHARACTERS_PER_DELTA) {
    const delta = { type: 'text_delta', text: text.slice(start, start + CHARACTERS_PER_DELTA) }
    send(response, 'content_block_delta', { index, delta })
  }
  if (share === 1) send(response, 'content_block_stop', { index })
}

/** Sends the pieces of an answer as they are released. */
export async function sendPieces(response: Response, pieces: readonly (string | Promise<unknown>)[]): Promise<void> {
  send(response, 'content_block_start', { index: 0, content_block: { type: 'text', text: '', citations: null } })
  for (const piece of pieces) {
    if (typeof piece !== 'string') await piece
    else send(response, 'content_block_delta', { index: 0, delta: { type: 'text_delta', text: piece } })
  }
}

export function endStream(response: Response, answer: Answer): void {
  send(response, 'message_delta', {
    delta: { stop_reason: answer.stopReason, stop_sequence: null, stop_details: null, container: null },
    usage: usageOf(answer, countTokens(answer.text)),
  })
  send(response, 'message_stop')
  response.end()
}

export function failStream(response: Response, errorType: string): void {
  send(response, 'error', { error: { type: errorType, message: 'Scripted fault.' } })
  response.end()
}
