import { TimeoutError } from '../errors.ts'
import { timerMs } from './sleep.ts'

/**
 * Returns a response whose body fails with a `TimeoutError` once it has sent nothing for `silenceMs` while somebody reads. `stop` ends
 * the request. Time in which nobody reads does not count.
 */
export function endSilence(response: Response, silenceMs: number, stop: () => void): Response {
  const { body, status, statusText, headers, url } = response
  if (!body) return response
  const reader = body.getReader()
  const watched = new ReadableStream<Uint8Array>({
    async pull(controller) {
      let timer: ReturnType<typeof setTimeout> | undefined
      const silence = new Promise<never>((_, reject) => {
        const end = (): void => {
          const message = `The response was silent for ${silenceMs} ms.`
          reject(new TimeoutError(message, { code: 'TIMEOUT', retryable: true }))
          stop()
        }
        timer = setTimeout(end, timerMs(silenceMs))
      })
      try {
        const { done, value } = await Promise.race([reader.read(), silence])
        if (done) controller.close()
        else controller.enqueue(value)
      } finally {
        clearTimeout(timer)
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
  const copy = new Response(watched, { status, statusText, headers })
  Object.defineProperty(copy, 'url', { value: url })
  return copy
}
