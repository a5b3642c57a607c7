import { API_PREFIX, type ErrorBody, type Job, type JobResult, type Meta, type SubmittedJob } from '@subtext/contracts'
import { createExchangeChecker } from '@subtext/contracts/testing'
import type { z } from 'zod'

export interface Answer<T> {
  status: number
  headers: Headers
  data: T
  error: ErrorBody
  meta: Meta
}

type Submitted = z.infer<typeof SubmittedJob>
export type MarkdownAnswer = Extract<z.infer<typeof JobResult>, { format: 'markdown' }>

/** A caller of the API with a key, over HTTP as any other. An answer that the OpenAPI document does not have throws. */
export interface Client {
  readonly key: string
  readonly userId: string
  /** What is answered to a submission, whatever it is. */
  trySubmit(request: object): Promise<Answer<Submitted>>
  /** The accepted job's id; throws when it was refused. */
  submit(request: object): Promise<string>
  /** Waits until the job has ended; throws with its last state after `timeoutMs`. */
  follow(jobId: string, timeoutMs?: number): Promise<Job>
  /** An envelope. */
  get<T>(path: string, signal?: AbortSignal): Promise<Answer<T>>
  post<T>(path: string, body?: object): Promise<Answer<T>>
  /** Whatever it is. */
  fetch(path: string, headers?: Record<string, string>): Promise<Response>
}

const LONG_POLL_SECONDS = 5

export function createClient(baseUrl: string, { key, userId }: { key: string; userId: string }): Client {
  const assertDescribed = createContractGuard(baseUrl)
  const call = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${baseUrl}${API_PREFIX}${path}`, { ...init, headers: { Authorization: `Bearer ${key}`, ...init.headers } })
  const read = async <T>(response: Response, method = 'GET'): Promise<Answer<T>> => {
    const text = await response.text()
    await assertDescribed(method, response, text)
    const envelope = JSON.parse(text) as Omit<Answer<T>, 'status' | 'headers'>
    return { ...envelope, status: response.status, headers: response.headers }
  }
  const get = async <T>(path: string, signal?: AbortSignal): Promise<Answer<T>> => read(await call(path, { signal }))
  const post = async <T>(path: string, body?: object): Promise<Answer<T>> => {
    const json = body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
    return read(await call(path, { method: 'POST', ...json }), 'POST')
  }
  const trySubmit = (request: object): Promise<Answer<Submitted>> => post('/videos/process', request)

  return {
    key,
    userId,
    trySubmit,
    async submit(request) {
      const { status, data, error } = await trySubmit(request)
      if (status !== 202) throw new Error(`Not accepted: ${status} ${JSON.stringify(error)}`)
      return data.job_id
    },
    async follow(jobId, timeoutMs = 25_000) {
      const deadline = performance.now() + timeoutMs
      for (;;) {
        const { data, error } = await get<Job>(`/videos/status/${jobId}?wait=${LONG_POLL_SECONDS}`)
        if (data?.status === 'completed' || data?.status === 'failed') return data
        if (performance.now() > deadline) throw new Error(`Not ended: ${JSON.stringify(data ?? error)}`)
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

type Guard = (method: string, response: Response, body?: string) => Promise<void>

/** Throws what the document of the running service does not have; a body that is not given is not looked at. */
function createContractGuard(baseUrl: string): Guard {
  const load = async () =>
    createExchangeChecker((await (await fetch(`${baseUrl}${API_PREFIX}/openapi.json`)).json()) as object)
  let checker: ReturnType<typeof load> | undefined
  return async (method, response, body) => {
    checker ??= load()
    const { pathname, search } = new URL(response.url)
    const headers = Object.fromEntries(response.headers)
    const faults = (await checker)({ method, target: pathname + search, status: response.status, headers, body })
    if (faults.length > 0) throw new Error(`Not in the OpenAPI document:\n${faults.join('\n')}`)
  }
}

/** Address under which the platform shows a video. */
export const watchUrl = (videoId: string): string => `https://www.youtube.com/watch?v=${videoId}`
