import { setTimeout as sleep } from 'node:timers/promises'
import type { Response } from 'express'
import type { ModelMessage } from './answer.ts'
import { buildEnd, buildStart, send, sendThinking } from './wires.ts'

const CHARACTERS_PER_DELTA = 80

/** Sends the headers, `message_start` and a ping: what a client receives before the first token. */
export function beginStream(response: Response, answer: ModelMessage): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', 'request-id': answer.id })
  send(response, 'message_start', { message: buildStart(answer) })
  if (answer.wire === 'provider') send(response, 'ping')
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
export function sendBlocks(response: Response, answer: ModelMessage, share = 1): void {
  const { textIndex: index, close } = sendThinking(response, answer)
  const text = answer.text.slice(0, Math.ceil(answer.text.length * share))
  if (text !== '') {
    send(response, 'content_block_start', { index, content_block: { type: 'text', text: '' } })
    for (let start = 0; start < text.length; start += CHARACTERS_PER_DELTA) {
      const delta = { type: 'text_delta', text: text.slice(start, start + CHARACTERS_PER_DELTA) }
      send(response, 'content_block_delta', { index, delta })
    }
  }
  if (share < 1) return
  close()
  if (text !== '') send(response, 'content_block_stop', { index })
}

/** Sends the pieces of an answer as they are released. */
export async function sendPieces(response: Response, pieces: readonly (string | Promise<unknown>)[]): Promise<void> {
  send(response, 'content_block_start', { index: 0, content_block: { type: 'text', text: '', citations: null } })
  for (const piece of pieces) {
    if (typeof piece !== 'string') await piece
    else send(response, 'content_block_delta', { index: 0, delta: { type: 'text_delta', text: piece } })
  }
}

const CHARACTERS_PER_TOKEN = 4
const TOKENS_PER_DELTA = 4

/** Sends a text at a steady pace, or until the client disconnects. */
export async function sendPaced(
  response: Response,
  { text, tokensPerSecond }: { text: string; tokensPerSecond: number },
) {
  send(response, 'content_block_start', { index: 0, content_block: { type: 'text', text: '' } })
  const length = TOKENS_PER_DELTA * CHARACTERS_PER_TOKEN
  for (let start = 0; start < text.length && !response.destroyed; start += length) {
    await sleep((TOKENS_PER_DELTA / tokensPerSecond) * 1_000)
    send(response, 'content_block_delta', {
      index: 0,
      delta: { type: 'text_delta', text: text.slice(start, start + length) },
    })
  }
  send(response, 'content_block_stop', { index: 0 })
}

export function endStream(response: Response, answer: ModelMessage): void {
  send(response, 'message_delta', buildEnd(answer))
  send(response, 'message_stop')
  response.end()
}
