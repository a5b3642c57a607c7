import { createSemaphore, withTimeout } from '@subtext/runtime'

/**
 * Operations at the same time. Each keeps a thread of Node.js until the directory responds, and there are four for files, host
 * names and passwords together.
 */
const MAX_OPERATIONS = 2

type Operation<T> = (signal: AbortSignal) => Promise<T>

/**
 * Returns a function that runs operations on a directory which may stop responding, such as one of a file server. An operation
 * that takes longer than `timeoutMs`, including its wait for a turn, is rejected, and its signal aborts. While all that may run
 * are overdue, further ones are rejected at once.
 */
export function limitOperations(timeoutMs: number): <T>(operation: Operation<T>) => Promise<T> {
  const turns = createSemaphore(MAX_OPERATIONS)
  let overdue = 0

  const untilTimeout = <T>(operation: Operation<T>, signal: AbortSignal): Promise<T> =>
    new Promise((resolve, reject) => {
      let isOverdue = false
      const giveUp = (): void => {
        isOverdue = true
        overdue++
        reject(signal.reason)
      }
      signal.addEventListener('abort', giveUp, { once: true })
      const end = (): void => {
        turns.release()
        if (isOverdue) overdue--
      }
      void operation(signal).then(resolve, reject).finally(end)
    })

  return async (operation) => {
    if (overdue === MAX_OPERATIONS) throw notResponding()
    return withTimeout(timeoutMs, undefined, async (signal) => {
      try {
        await turns.acquire(signal)
        return await untilTimeout(operation, signal)
      } catch (error) {
        throw signal.aborted ? notResponding() : error
      }
    })
  }
}

const notResponding = (): Error => new Error('The directory does not respond.')
