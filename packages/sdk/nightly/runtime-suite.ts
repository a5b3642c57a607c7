import { NotFoundError, Subtext, SubtextError, verifyWebhook } from '../src/index.ts'

const JOB = '0193a1f0-7c1e-7b52-9d56-1f0c2a4b8e11'

const check = (isTrue: boolean, what: string): void => {
  if (!isTrue) throw new Error(`failed: ${what}`)
}

/** Signs like the service, with what every runtime has. */
async function sign(secret: string, id: string, timestamp: number, body: string): Promise<string> {
  const bytes = Uint8Array.from(atob(secret.replace('whsec_', '')), (char) => char.charCodeAt(0))
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const signature = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(`${id}.${timestamp}.${body}`))
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`
}

/** What also works in a browser. */
export async function verifyDeliveries(): Promise<void> {
  const secret = `whsec_${btoa('a secret of at least 24 bytes')}`
  const body = JSON.stringify({ id: 'event-1', event: 'webhook.test', data: {} })
  const timestamp = Math.floor(Date.now() / 1_000)
  const headers = {
    'webhook-id': 'event-1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': await sign(secret, 'event-1', timestamp, body),
  }
  check((await verifyWebhook(body, headers, secret)).id === 'event-1', 'a genuine delivery is accepted')
  const isRefused = await verifyWebhook(`${body} `, headers, secret).then(
    () => false,
    () => true,
  )
  check(isRefused, 'a changed delivery is refused')
}

/** Uses everything of the client that depends on the runtime, against the service that the test plays. */
export async function runSuite(baseUrl: string): Promise<string> {
  const subtext = new Subtext({ apiKey: 'sk_test', baseUrl })
  const { job_id } = await subtext.videos.submit({ url: 'https://youtu.be/jNQXAC9IVRw' })
  check(job_id === JOB, 'a submission is repeated after 503')

  const seen: number[] = []
  const job = await subtext.videos.waitFor(job_id, {
    timeoutMs: 60_000,
    onProgress: ({ progress_percentage }) => void seen.push(progress_percentage),
  })
  check(job.status === 'completed' && seen.includes(10) && seen.includes(60), 'a broken stream of events is resumed')

  const titles: string[] = []
  for await (const { video_title = '' } of subtext.videos.list()) titles.push(video_title)
  check(titles.join() === 'one,two,three', 'a list is read over all of its pages')

  const document = await subtext.videos.document(job_id, 'srt')
  let text = ''
  const decoder = new TextDecoder()
  for (const reader = document.body?.getReader(); reader; ) {
    const { done, value } = await reader.read()
    if (done) break
    text += decoder.decode(value, { stream: true })
  }
  check(text === 'première ligne', 'a document is streamed')

  const parts: string[] = []
  for await (const { event, data } of subtext.chat.stream(job_id, 'Wie viele Meere?')) {
    parts.push(event === 'delta' ? data.text : event)
  }
  check(parts.join('|') === 'Zwei.|citation| Größere.|done', 'a broken stream of an answer is resumed')

  const redirected = await subtext.videos.status('elsewhere').catch((error: unknown) => error)
  check(redirected instanceof SubtextError && redirected.code === 'INVALID_RESPONSE', 'no redirect is followed')

  const missing = await subtext.videos.status('missing').catch((error: unknown) => error)
  check(missing instanceof NotFoundError && missing.requestId === 'request-1', 'an error has its class')

  const controller = new AbortController()
  const waiting = subtext.videos.waitFor('endless', { signal: controller.signal }).catch((error: unknown) => error)
  setTimeout(() => controller.abort(new Error('enough')), 50)
  check(((await waiting) as Error).message === 'enough', 'waiting ends with its signal')

  await verifyDeliveries()
  return 'passed'
}
