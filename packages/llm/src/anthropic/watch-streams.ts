import { AnthropicError, APIConnectionError, APIConnectionTimeoutError } from '@anthropic-ai/sdk'
import { isStream } from './is-stream.ts'

/** Thrown when an answer has begun and no more data arrives, although the connection stays open. */
export class IdleTimeoutError extends APIConnectionTimeoutError {}

/** Thrown when an answer is larger than any that we request, and may never end. */
export class OversizedAnswerError extends AnthropicError {
  constructor() {
    super('The answer is too large.')
  }
}

/** Several times the events of the longest answer, thoughts included. Bytes. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024

/**
 * Returns a fetch whose streams fail when no byte arrives for `idleTimeoutMs`. The provider sends about two `ping` events
 * a minute while the model thinks; the SDK drops them, so that only the bytes tell a thinking model from a lost
 * connection. A connection that is lost within a stream fails with `APIConnectionError`, like one that is lost before it. No
 * answer, streamed or not, is read beyond `maxBytes`, or after its request was aborted.
 * https://docs.anthropic.com/en/docs/build-with-claude/streaming#ping-events
 */
export const watchStreams =
  (send: typeof fetch, idleTimeoutMs: number, maxBytes = MAX_ANSWER_BYTES): typeof fetch =>
  async (input, init) => {
    const response = await send(input, init)
    if (!response.body) return response
    // Node 20 does not end the answer itself once a garbage collection has taken the request (with `redirect: 'error'`).
    const limited = response.body.pipeThrough(limitBytes(maxBytes), init?.signal ? { signal: init.signal } : {})
    return new Response(isStream(response) ? watch(limited, idleTimeoutMs) : limited, response)
  }

function limitBytes(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let read = 0
  return new TransformStream({
    transform(chunk, controller) {
      read += chunk.length
      if (read > maxBytes) controller.error(new OversizedAnswerError())
      else controller.enqueue(chunk)
    },
  })
}

function watch(body: ReadableStream<Uint8Array>, idleTimeoutMs: number): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const cancel = (reason: unknown): Promise<void> => reader.cancel(reason).catch(() => {}) // The stream has ended either way.
  return new ReadableStream({
    async pull(controller) {
      let isIdle = false
      const timer = setTimeout(() => {
        isIdle = true
        const error = new IdleTimeoutError({ message: 'No data arrived within the idle timeout.' })
        controller.error(error)
        void cancel(error)
      }, idleTimeoutMs)
      try {
        const { done, value } = await reader.read()
        if (isIdle) return
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        if (isIdle) return
        throw isAbort(error) || error instanceof AnthropicError
          ? error
          : new APIConnectionError({ cause: error as Error })
      } finally {
        clearTimeout(timer)
      }
    },
    cancel,
  })
}

const isAbort = (error: unknown): boolean => (error as Error | undefined)?.name === 'AbortError'
