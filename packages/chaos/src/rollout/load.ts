import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { API_PREFIX } from '@subtext/contracts'
import { longVideo, type VideoPlatform } from '@subtext/fakes'
import { watchUrl } from '@subtext/testbed'

export interface RolloutLoadOptions {
  origin: string
  keys: string[]
  platform: VideoPlatform
  webhookUrl: string
  perSecond: number
}

/** The experience of the clients. Times are in milliseconds. */
export interface LoadFigures {
  /** Submissions and reads, not counting repetitions. */
  requests: number
  /** Replies with a status of 500 or more, by code, and connections that ended without a reply. All were repeated. */
  refused: Map<string, number>
  /** Requests that got no reply within `GIVE_UP_MS`, despite repetitions. */
  lost: number
  /** Jobs whose IDs clients received. */
  jobIds: string[]
  /** Longest time from first sending a request to its reply, including repetitions. */
  slowestMs: number
  /** Longest time in which no submission was accepted. */
  longestPauseMs: number
}

export interface Load {
  figures: LoadFigures
  /** Stops sending, and waits for the replies. */
  stop(): Promise<void>
}

/** Far longer than any fault lasts, also on a busy machine. */
const GIVE_UP_MS = 120_000
const REQUEST_TIMEOUT_MS = 15_000
const RETRY_MS = 200
const VIDEO_HOURS = 0.05

/** Sends submissions at a steady rate, however slow the replies are, and reads the status of each job once. */
export function startLoad({ origin, keys, platform, webhookUrl, perSecond }: RolloutLoadOptions): Load {
  const figures: LoadFigures = {
    requests: 0,
    refused: new Map(),
    lost: 0,
    jobIds: [],
    slowestMs: 0,
    longestPauseMs: 0,
  }
  let lastAccepted = performance.now()
  const note = (what: string): void => void figures.refused.set(what, (figures.refused.get(what) ?? 0) + 1)

  const request = async (key: string, path: string, init: RequestInit = {}): Promise<Reply | null> => {
    figures.requests++
    const startedAt = performance.now()
    while (performance.now() - startedAt < GIVE_UP_MS) {
      const reply = await tryOnce(`${origin}${API_PREFIX}${path}`, key, init)
      if (typeof reply !== 'string') {
        figures.slowestMs = Math.max(figures.slowestMs, performance.now() - startedAt)
        return reply
      }
      note(reply)
      await sleep(RETRY_MS)
    }
    figures.lost++
    return null
  }
  const submit = async (nth: number): Promise<void> => {
    const key = keys[nth % keys.length] ?? ''
    const id = `sbtx-r${String(nth).padStart(5, '0')}`
    platform.addVideo(longVideo({ id, hours: VIDEO_HOURS, title: `Harbour log ${nth}` }))
    const body = JSON.stringify({ url: watchUrl(id), webhook_url: webhookUrl, priority: nth % 5 ? 'normal' : 'high' })
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() }
    const accepted = await request(key, '/videos/process', { method: 'POST', body, headers })
    const jobId = accepted?.data?.job_id
    if (!accepted) return
    if (jobId === undefined) return note(`submission answered with ${accepted.status}`)
    figures.longestPauseMs = Math.max(figures.longestPauseMs, performance.now() - lastAccepted)
    lastAccepted = performance.now()
    figures.jobIds.push(jobId)
    const status = await request(key, `/videos/status/${jobId}`)
    if (status && status.status !== 200) note(`status answered with ${status.status}`)
  }

  const open = new Set<Promise<void>>()
  let sent = 0
  const timer = setInterval(() => {
    const sending = submit(sent++).finally(() => open.delete(sending))
    open.add(sending)
  }, 1_000 / perSecond)
  return {
    figures,
    async stop() {
      clearInterval(timer)
      await Promise.all(open)
    },
  }
}

interface Reply {
  status: number
  data?: { job_id?: string }
}

/** Returns the reply, or the reason why there is none. */
async function tryOnce(url: string, key: string, init: RequestInit): Promise<Reply | string> {
  try {
    const headers = { Authorization: `Bearer ${key}`, ...init.headers }
    const response = await fetch(url, { ...init, headers, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) })
    const text = await response.text()
    const { data, error } = parse(text)
    if (response.status >= 500) return `${response.status} ${error?.code ?? 'from the proxy'}`
    if (error?.code === 'IDEMPOTENCY_IN_PROGRESS') return '409 IDEMPOTENCY_IN_PROGRESS'
    return { status: response.status, data }
  } catch (error) {
    return error instanceof DOMException ? 'no answer in time' : 'connection lost'
  }
}

function parse(text: string): { data?: Reply['data']; error?: { code: string } } {
  try {
    return JSON.parse(text) as ReturnType<typeof parse>
  } catch {
    return {}
  }
}
