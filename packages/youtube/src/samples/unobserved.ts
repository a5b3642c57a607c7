import { observeRequests } from '../session/observe-requests.ts'

/** Runs work whose requests do not count as requests to the platform, because they are answered within this process. */
export const unobserved = <T>(work: () => Promise<T>): Promise<T> => observeRequests(() => {}, work)
