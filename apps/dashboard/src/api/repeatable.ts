import { useRef } from 'react'

/**
 * Returns a function that names a request by its content: the same key until `done`, so that someone who submits a form again
 * after its response was lost does not create a second job.
 */
export function useIdempotencyKey(): { keyFor: (content: unknown) => string; done: () => void } {
  const last = useRef({ content: '', key: '' })
  return {
    keyFor(content) {
      const text = JSON.stringify(content)
      if (last.current.content !== text) last.current = { content: text, key: newKey() }
      return last.current.key
    },
    done() {
      last.current = { content: '', key: '' }
    },
  }
}

/** Not `randomUUID`, which exists only where the connection is secure. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
