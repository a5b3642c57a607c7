import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { API_PREFIX } from '@subtext/contracts'
import type { ChaosAccount } from './accounts.ts'
import type { Slot } from './fleet.ts'
import type { PlannedRequest } from './requests.ts'

export interface Submission extends PlannedRequest {
  account: ChaosAccount
  /** The idempotency key; `null` for a submission that is sent only once, whatever the response. */
  key: string | null
  /**
   * `unanswered`: sent once, without a key, and neither accepted nor refused for good, so the client cannot know whether it
   * was stored.
   */
  state: 'open' | 'accepted' | 'refused' | 'unanswered'
  /** IDs of the job, or of the batch's jobs, from the response. */
  jobIds: string[]
  /** How many times it was sent. */
  attempts: number
}

interface AcceptedData {
  job_id?: string
  jobs?: { job_id: string }[]
}

/** Sends the requests of the load, and records responses that must not occur. */
export interface ApiClient {
  /** Returns the number of unanswered requests to this API. */
  openRequests(slot: Slot): number
  /** Sends a submission until it is answered or `timeoutMs` have passed; without a key, only once. */
  send(submission: Submission, timeoutMs: number): Promise<void>
  cancel(submission: Submission): Promise<void>
  /** Checks that a job that was just accepted is found. */
  checkStatus(submission: Submission): Promise<void>
  /** Number of responses by status and code. */
  replies: Map<string, number>
  violations: string[]
}

const REQUEST_TIMEOUT_MS = 15_000
const RETRY_MS = 300
/** Errors that are allowed while a server is unavailable. */
const TRANSIENT_CODES = new Set(['SERVICE_UNAVAILABLE', 'IDEMPOTENCY_IN_PROGRESS', 'connection'])

export const createSubmission = (account: ChaosAccount, planned: PlannedRequest, keyed: boolean): Submission => ({
  ...planned,
  account,
  key: keyed ? randomUUID() : null,
  state: 'open',
  jobIds: [],
  attempts: 0,
})

export function createApiClient(pickApi: () => Slot): ApiClient {
  const open = new Map<string, number>()
  const replies = new Map<string, number>()
  const violations: string[] = []
  const count = (map: Map<string, number>, name: string, change: number): void =>
    void map.set(name, (map.get(name) ?? 0) + change)

  async function call<T>(account: ChaosAccount, path: string, init: RequestInit = {}): Promise<Reply<T>> {
    const { name, baseUrl } = pickApi()
    count(open, name, 1)
    const reply = await fetchReply<T>(`${baseUrl}${API_PREFIX}${path}`, account, init)
    count(open, name, -1)
    count(replies, `${reply.status || ''} ${reply.code}`.trim(), 1)
    if (reply.status >= 500 && reply.status !== 503)
      violations.push(`${path} was answered with ${reply.status} ${reply.code}`)
    return reply
  }
  async function sendOnce(submission: Submission): Promise<void> {
    const { account, path, key, body } = submission
    submission.attempts++
    const headers: Record<string, string> = key === null ? {} : { 'Idempotency-Key': key }
    const reply = await call<AcceptedData>(account, path, { method: 'POST', body: JSON.stringify(body), headers })
    if (reply.data) {
      const jobIds = reply.data.jobs?.map((job) => job.job_id) ?? [reply.data.job_id ?? '']
      submission.state = 'accepted'
      submission.jobIds = jobIds
    } else if (reply.code === 'QUOTA_EXCEEDED') submission.state = 'refused'
    else {
      if (!TRANSIENT_CODES.has(reply.code)) {
        violations.push(`${path} was answered with ${reply.status} ${reply.code}`)
      }
      if (key === null) submission.state = 'unanswered'
    }
  }
  return {
    openRequests: ({ name }) => open.get(name) ?? 0,
    replies,
    violations,
    async send(submission, timeoutMs) {
      const deadline = performance.now() + timeoutMs
      for (;;) {
        await sendOnce(submission)
        if (submission.state !== 'open' || performance.now() > deadline) return
        await sleep(RETRY_MS)
      }
    },
    async cancel({ account, jobIds }) {
      await call(account, `/videos/cancel/${jobIds[0]}`, { method: 'POST' })
    },
    async checkStatus({ account, jobIds }) {
      const { code } = await call(account, `/videos/status/${jobIds[0]}`)
      if (code === 'NOT_FOUND') violations.push(`the accepted job ${jobIds[0]} was not found`)
    },
  }
}

interface Reply<T> {
  /** The HTTP status; 0 without a response. */
  status: number
  code: string
  data: T | null
}

async function fetchReply<T>(url: string, { key }: ChaosAccount, init: RequestInit): Promise<Reply<T>> {
  try {
    const response = await fetch(url, {
      ...init,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...init.headers },
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
    const { data, error } = (await response.json()) as { data?: T; error?: { code: string } }
    return { status: response.status, code: error?.code ?? '', data: data ?? null }
  } catch (error) {
    // A refused or closed connection is allowed; a request that times out is a violation.
    const timedOut = error instanceof DOMException && error.name === 'TimeoutError'
    return { status: 0, code: timedOut ? 'timeout' : 'connection', data: null }
  }
}
