import { AsyncLocalStorage } from 'node:async_hooks'

const observers = new AsyncLocalStorage<() => void>()

/**
 * Runs `work` and calls `onRequest` for every request to the platform that it causes, including redirects. Nested work with its
 * own observer reports only to that observer.
 */
export const observeRequests = <T>(onRequest: () => void, work: () => T): T => observers.run(onRequest, work)

/** Reports a request to the work that caused it. */
export const reportRequest = (): void => observers.getStore()?.()
