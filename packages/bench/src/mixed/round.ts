import { at } from '@subtext/runtime'

/** What simulated people do at the same time. */
export interface People {
  origin: string
  key: string
  chats: number
  /** Whose video the chats are about. */
  chatJob: string
  pdfs: number
  /** Completed jobs, more than are rendered. */
  pdfJobs: string[]
}

/** Sends a request with this key: POST with a body, otherwise GET. */
export function send({ origin, key }: Pick<People, 'origin' | 'key'>, path: string, body?: object): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return fetch(`${origin}/api/v1${path}`, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) })
}

export interface PeopleCounts {
  /** Streams that are open now. */
  open: number
  chats: number
  pdfs: number
  refusals: number
}

export const NOTHING: PeopleCounts = { open: 0, chats: 0, pdfs: 0, refusals: 0 }

/**
 * `quiet`: jobs only. `loaded`: with chats and PDFs. `control`: with a program that has nothing to do with the service, and uses
 * as much processor time as chats and PDFs did in the round before, at the same priorities. What jobs wait for then is the
 * machine.
 */
export const KINDS = ['quiet', 'loaded', 'control'] as const
export type Kind = (typeof KINDS)[number]

/** Programs whose processor time is counted. `people` also plays the model. */
export const PROGRAMS = ['api', 'renders', 'worker', 'postgres', 'redis', 'people'] as const
export type Program = (typeof PROGRAMS)[number]

/** Times in milliseconds. */
export interface Round {
  /** From the request of the caller to the response that says that the job has completed. */
  seen: number[]
  /** From the acceptance of a job to its start in the high lane, by the clock of the service. */
  waited: number[]
  /** Durations of the smallest request during the round. */
  probed: number[]
  /** Shares of the machine's processors that were used by any process, at normal and at low priority. */
  busy: number
  busyAtLowPriority: number
  /** Shares of one processor. */
  used: Record<Program, number>
  /** Streams that were open at the same time. */
  open: number
  counts: PeopleCounts
}

export const P95 = 0.95

export const percentile = (values: number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return at(sorted, Math.min(sorted.length - 1, Math.floor(sorted.length * share)))
}
