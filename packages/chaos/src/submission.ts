import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { API_PREFIX } from '@subtext/contracts'
import type { Account } from './accounts.ts'
import type { Slot } from './fleet.ts'
import type { PlannedRequest } from './requests.ts'

export interface Submission extends PlannedRequest {
  account: Account
  /** Null: sent once, whatever comes of it. */
  key: string | null
  /** `lost`: it may have been accepted or not, and nobody could tell. */
  state: 'open' | 'accepted' | 'refused' | 'lost'
  /** Jobs, or the batch's jobs, as answered. */
  jobIds: string[]
  /** Times it was sent. */
  tries: number
}

interface AcceptedData {
  job_id?: string
  jobs?: { job_id: string }[]
}

/** Sends what the load wants to be done, and notes what must not happen. */
export interface Courier {
  openRequests(slot: Slot): number
  /** Sends it until the answer is known or `untilMs` have passed; without a key, once. */
  send(submission: Submission, untilMs: number): Promise<void>
  cancel(submission: Submission): Promise<void>
  /** Whether a job that was just accepted can be seen. */
  look(submission: Submission): Promise<void>
  /** Answers by status and code. */
  answers: Map<string, number>
  faults: string[]
}

const ANSWER_WITHIN_MS = 15_000
const RETRY_MS = 300
/** What may be said while something is away. */
const PASSING = new Set(['SERVICE_UNAVAILABLE', 'IDEMPOTENCY_IN_PROGRESS', 'connection'])

export const newSubmission = (account: Account, planned: PlannedRequest, keyed: boolean): Submission => ({
  ...planned,
  account,
  key: keyed ? randomUUID() : null,
  state: 'open',
  jobIds: [],
  tries: 0,
})

export function createCourier(pickApi: () => Slot): Courier {
  const open = new Map<string, number>()
  const answers = new Map<string, number>()
  const faults: string[] = []
  const count = (map: Map<string, number>, name: string, change: number): void =>
    void map.set(name, (map.get(name) ?? 0) + change)

  async function call<T>(account: Account, path: string, init: RequestInit = {}): Promise<Answer<T>> {
    const { name, baseUrl } = pickApi()
    count(open, name, 1)
    const answer = await fetchAnswer<T>(`${baseUrl}${API_PREFIX}${path}`, account, init)
    count(open, name, -1)
    count(answers, `${answer.status || ''} ${answer.code}`.trim(), 1)
    if (answer.status >= 500 && answer.status !== 503)
      faults.push(`${path} was answered ${answer.status} ${answer.code}`)
    return answer
  }
  async function sendOnce(submission: Submission): Promise<void> {
    const { account, path, key, body } = submission
    submission.tries++
    const headers: Record<string, string> = key === null ? {} : { 'Idempotency-Key': key }
    const answer = await call<AcceptedData>(account, path, { method: 'POST', body: JSON.stringify(body), headers })
    if (answer.data) {
      const jobIds = answer.data.jobs?.map((job) => job.job_id) ?? [answer.data.job_id ?? '']
      submission.state = 'accepted'
      submission.jobIds = jobIds
    } else if (answer.code === 'QUOTA_EXCEEDED') submission.state = 'refused'
    else {
      if (!PASSING.has(answer.code)) faults.push(`${path} was answered ${answer.status} ${answer.code}`)
      if (key === null) submission.state = 'lost'
    }
  }
  return {
    openRequests: ({ name }) => open.get(name) ?? 0,
    answers,
    faults,
    async send(submission, untilMs) {
      const deadline = performance.now() + untilMs
      for (;;) {
        await sendOnce(submission)
        if (submission.state !== 'open' || performance.now() > deadline) return
        await sleep(RETRY_MS)
      }
    },
    async cancel({ account, jobIds }) {
      await call(account, `/videos/cancel/${jobIds[0]}`, { method: 'POST' })
    },
    async look({ account, jobIds }) {
      const { code } = await call(account, `/videos/status/${jobIds[0]}`)
      if (code === 'NOT_FOUND') faults.push(`the accepted job ${jobIds[0]} was not found`)
    },
  }
}

interface Answer<T> {
  /** 0: there was none. */
  status: number
  code: string
  data: T | null
}

async function fetchAnswer<T>(url: string, { key }: Account, init: RequestInit): Promise<Answer<T>> {
  try {
    const response = await fetch(url, {
      ...init,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...init.headers },
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
    const { data, error } = (await response.json()) as { data?: T; error?: { code: string } }
    return { status: response.status, code: error?.code ?? '', data: data ?? null }
  } catch (error) {
    // Killed in the middle, or not there; waiting in vain is a fault of its own.
    const late = error instanceof DOMException && error.name === 'TimeoutError'
    return { status: 0, code: late ? 'no answer' : 'connection', data: null }
  }
}
