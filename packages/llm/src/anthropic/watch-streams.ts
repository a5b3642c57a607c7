import { APIConnectionError, APIConnectionTimeoutError } from '@anthropic-ai/sdk'
import { isStream } from './is-stream.ts'

/** The answer had begun, and then no data arrived although the connection stayed open. */
export class IdleTimeoutError extends APIConnectionTimeoutError {}

/**
 * Returns a fetch whose streams fail when no byte arrives for `idleTimeoutMs`. The provider sends about two `ping` events
 * a minute while the model thinks; the SDK drops them, so that only the bytes tell a thinking model from a lost
 * connection. A connection that is lost within a stream fails with `APIConnectionError`, like one that is lost before it.
 * https://docs.anthropic.com/en/docs/build-with-claude/streaming#ping-events
 */
export const watchStreams =
  (send: typeof fetch, idleTimeoutMs: number): typeof fetch =>
  async (input, init) => {
    const response = await send(input, init)
    if (!response.body || !isStream(response)) return response
    return new Response(watch(response.body, idleTimeoutMs), response)
  }

function watch(body: ReadableStream<Uint8Array>, idleTimeoutMs: number): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const cancel = (reason: unknown): Promise<void> => reader.cancel(reason).catch(() => {}) // it is over either way
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
        if (!isIdle) throw isAbort(error) ? error : new APIConnectionError({ cause: error as Error })
      } finally {
        clearTimeout(timer)
      }
    },
    cancel,
  })
}

const isAbort = (error: unknown): boolean => (error as Error | undefined)?.name === 'AbortError'
