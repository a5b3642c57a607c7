import { APIConnectionError, APIConnectionTimeoutError } from '@anthropic-ai/sdk'
import { isStream } from './answer-type.ts'

/** An answer had begun, and then nothing came, though the connection was not closed. */
export class SilenceError extends APIConnectionTimeoutError {}

/**
 * A fetch whose streams break off when no byte of them comes for `limitMs`. The provider sends `ping` events while
 * the model thinks, about two a minute; the SDK drops them, so that only the bytes tell a thinking model from a lost
 * connection. A connection that is lost within a stream is an `APIConnectionError`, as one is that is lost before.
 * https://docs.anthropic.com/en/docs/build-with-claude/streaming#ping-events
 */
export const watchStreams =
  (send: typeof fetch, limitMs: number): typeof fetch =>
  async (input, init) => {
    const response = await send(input, init)
    if (!response.body || !isStream(response)) return response
    return new Response(watch(response.body, limitMs), response)
  }

function watch(body: ReadableStream<Uint8Array>, limitMs: number): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const giveUp = (reason: unknown): Promise<void> => reader.cancel(reason).catch(() => {}) // it is over either way
  return new ReadableStream({
    async pull(controller) {
      let isSilent = false
      const timer = setTimeout(() => {
        isSilent = true
        const error = new SilenceError({ message: 'The answer fell silent.' })
        controller.error(error)
        void giveUp(error)
      }, limitMs)
      try {
        const { done, value } = await reader.read()
        if (isSilent) return
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        if (!isSilent) throw isAbort(error) ? error : new APIConnectionError({ cause: error as Error })
      } finally {
        clearTimeout(timer)
      }
    },
    cancel: giveUp,
  })
}

const isAbort = (error: unknown): boolean => (error as Error | undefined)?.name === 'AbortError'
