import { API_PREFIX, type ErrorBody, type Job, type JobResult, type Meta, type SubmittedJob } from '@subtext/contracts'
import { createExchangeChecker } from '@subtext/contracts/testing'
import { waitUntil } from '@subtext/embedded/testing'
import type { z } from 'zod'
import type { TestAccount } from './accounts.ts'

export interface ServiceReply<T> {
  status: number
  headers: Headers
  data: T
  error: ErrorBody
  meta: Meta
}

type Submitted = z.infer<typeof SubmittedJob>
export type MarkdownReply = Extract<z.infer<typeof JobResult>, { format: 'markdown' }>

/** Calls the API over HTTP with a key. Throws on responses that the OpenAPI document does not describe. */
export interface Client extends Readonly<TestAccount> {
  /** Submits a video and returns the response, whatever its status. */
  trySubmit(request: object): Promise<ServiceReply<Submitted>>
  /** Submits a video and returns the job's ID; throws when the request was refused. */
  submit(request: object): Promise<string>
  /** Waits until the job has ended; throws with its last state after four minutes. */
  follow(jobId: string): Promise<Job>
  /** Returns the envelope of the response. */
  get<T>(path: string, signal?: AbortSignal): Promise<ServiceReply<T>>
  post<T>(path: string, body?: object): Promise<ServiceReply<T>>
  /** Returns the response itself. */
  fetch(path: string, headers?: Record<string, string>): Promise<Response>
}

const LONG_POLL_SECONDS = 5
/** Only a failing test waits this long. It leaves time for a machine that is busy with other things. */
const FOLLOW_TIMEOUT_MS = 240_000

/**
 * Headers of a request on a connection of its own. A server closes connections that have been idle for a minute, and a busy machine
 * learns of it too late: what is sent on one of them at that moment fails.
 */
export const ON_ITS_OWN_CONNECTION = { Connection: 'close' }

export function createClient(baseUrl: string, account: TestAccount): Client {
  const assertDescribed = createContractGuard(baseUrl)
  const call = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${baseUrl}${API_PREFIX}${path}`, {
      ...init,
      headers: { ...ON_ITS_OWN_CONNECTION, Authorization: `Bearer ${account.key}`, ...init.headers },
    })
  const read = async <T>(response: Response, method = 'GET'): Promise<ServiceReply<T>> => {
    const text = await response.text()
    await assertDescribed(method, response, text)
    const envelope = JSON.parse(text) as Omit<ServiceReply<T>, 'status' | 'headers'>
    return { ...envelope, status: response.status, headers: response.headers }
  }
  const get = async <T>(path: string, signal?: AbortSignal): Promise<ServiceReply<T>> =>
    read(await call(path, { signal }))
  const post = async <T>(path: string, body?: object): Promise<ServiceReply<T>> => {
    const json = body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
    return read(await call(path, { method: 'POST', ...json }), 'POST')
  }
  const trySubmit = (request: object): Promise<ServiceReply<Submitted>> => post('/videos/process', request)

  return {
    ...account,
    trySubmit,
    async submit(request) {
      const { status, data, error } = await trySubmit(request)
      if (status !== 202) throw new Error(`Not accepted: ${status} ${JSON.stringify(error)}`)
      return data.job_id
    },
    async follow(jobId) {
      const deadline = performance.now() + FOLLOW_TIMEOUT_MS
      for (;;) {
        const { data, error } = await get<Job>(`/videos/status/${jobId}?wait=${LONG_POLL_SECONDS}`)
        if (data?.status === 'completed' || data?.status === 'failed') return data
        if (performance.now() > deadline) throw new Error(`The job has not ended: ${JSON.stringify(data ?? error)}`)
      }
    },
    get,
    post,
    async fetch(path, headers = {}) {
      const response = await call(path, { headers })
      await assertDescribed('GET', response)
      return response
    },
  }
}

let compiled: { document: string; checker: ReturnType<typeof createExchangeChecker> } | undefined

/** Compiles the schemas of the document once for all clients of a service, since that takes much CPU. */
function compileChecker(document: string): ReturnType<typeof createExchangeChecker> {
  if (compiled?.document !== document) {
    compiled = { document, checker: createExchangeChecker(JSON.parse(document) as object) }
  }
  return compiled.checker
}

type Guard = (method: string, response: Response, body?: string) => Promise<void>

/** Throws when a response differs from the document of the running service. Without `body`, checks the rest. */
function createContractGuard(baseUrl: string): Guard {
  // An API on a busy machine sheds load.
  const read = () =>
    waitUntil('the API serves its document', async () => {
      const response = await fetch(`${baseUrl}${API_PREFIX}/openapi.json`)
      const text = await response.text()
      return response.ok && text
    })
  const load = async () => compileChecker(await read())
  let checker: ReturnType<typeof load> | undefined
  return async (method, response, body) => {
    checker ??= load()
    const { pathname, search } = new URL(response.url)
    const headers = Object.fromEntries(response.headers)
    const faults = (await checker)({ method, target: pathname + search, status: response.status, headers, body })
    if (faults.length > 0) throw new Error(`Not in the OpenAPI document:\n${faults.join('\n')}`)
  }
}

/** Returns the address at which the platform shows a video. */
export const watchUrl = (videoId: string): string => `https://www.youtube.com/watch?v=${videoId}`
