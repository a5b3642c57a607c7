import type { StoredAnswer } from '@subtext/core/chats'

export type StoredPart = StoredAnswer['parts'][number]

/** A part of an answer, and what the answer consists of. */
export interface WrittenPart {
  kind: StoredAnswer['kind']
  part: StoredPart
}

/** Passes items on to any number of readers, each of which gets all of them. */
export interface AnswerFeed<T> {
  push(item: T): void
  end(): void
  /** Yields all items from the first one on, until the feed ends or `signal` aborts. */
  read(signal: AbortSignal): AsyncIterable<T>
}

export function createAnswerFeed<T>(): AnswerFeed<T> {
  const items: T[] = []
  const waiting = new Set<() => void>()
  let ended = false
  const wake = (): void => {
    for (const resume of waiting) resume()
  }
  return {
    push(item) {
      items.push(item)
      wake()
    },
    end() {
      ended = true
      wake()
    },
    async *read(signal) {
      for (let next = 0; ; next++) {
        while (next >= items.length && !ended && !signal.aborted) await untilWoken(waiting, signal)
        const item = items[next]
        if (item === undefined || signal.aborted) return
        yield item
      }
    },
  }
}

async function untilWoken(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  let resume = (): void => {}
  const woken = new Promise<void>((resolve) => {
    resume = resolve
  })
  waiting.add(resume)
  signal.addEventListener('abort', resume, { once: true })
  await woken
  waiting.delete(resume)
  signal.removeEventListener('abort', resume)
}
