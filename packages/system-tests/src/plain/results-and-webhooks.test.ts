import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DefaultResult, JobCompletedEvent, StructuredResult, SUMMARY_MODES } from '@subtext/contracts'
import { type ReceivedWebhook, SAMPLE_TALKS } from '@subtext/fakes'
import { findViolations, useClient, watchUrl } from '@subtext/testbed'
import { Webhook } from 'standardwebhooks'
import { usePlainSystem } from './use-plain-system.ts'

const TALK = SAMPLE_TALKS.english
const CUES = TALK.tracks[0]?.cues() ?? []

const system = usePlainSystem()
const client = useClient(system)

let resultId: string
beforeAll(async () => {
  resultId = await client.submit({ url: watchUrl(TALK.id), options: { summary_modes: SUMMARY_MODES } })
  await client.follow(resultId)
})
const fetchResult = (query: string, headers?: Record<string, string>) =>
  client.fetch(`/videos/result/${resultId}${query}`, headers)

test.each([
  ['no format', '', {}],
  ['Accept: application/json', '', { Accept: 'application/json' }],
  ['Accept: */*', '', { Accept: '*/*' }],
])('a result is an envelope with Markdown (%s)', async (_, query, headers) => {
  const response = await fetchResult(query, headers)
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  const { data } = (await response.json()) as { data: unknown }
  expect(DefaultResult.parse(data).summaries.timestamped).toContain('](https://')
})

test('a result has timed segments and citations that exist, with format=json', async () => {
  const response = await fetchResult('?format=json', { Accept: 'text/plain' })
  const { data } = (await response.json()) as { data: unknown }
  const { transcript, summaries } = StructuredResult.parse(data)
  expect(transcript.segments).toHaveLength(CUES.length)
  expect(transcript.segments[3]).toEqual({
    id: 4,
    start: (CUES[3]?.startMs ?? 0) / 1000,
    duration: expect.any(Number),
    text: CUES[3]?.text,
  })
  for (const mode of SUMMARY_MODES) {
    const citations = summaries[mode]?.citations ?? []
    expect(citations.length).toBeGreaterThan(0)
    for (const { segment_id, start } of citations) expect(transcript.segments[segment_id - 1]?.start).toBe(start)
  }
})

test.each([
  ['?format=markdown', {}, 'text/markdown', `# ${TALK.title}`],
  ['', { Accept: 'text/markdown' }, 'text/markdown', `# ${TALK.title}`],
  ['?format=text', { Accept: 'application/json' }, 'text/plain', TALK.title],
  ['', { Accept: 'text/plain, application/json;q=0.5' }, 'text/plain', TALK.title],
])('a result is a document, with %s %o', async (query, headers, mediaType, beginning) => {
  const response = await fetchResult(query, headers)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe(`${mediaType}; charset=utf-8`)
  expect(response.headers.get('vary')).toContain('Accept')
  const text = await response.text()
  expect(text.startsWith(beginning)).toBe(true)
  expect(text).toContain(CUES.at(-1)?.text)
})

test.each([
  ['?format=docx', {}, 400, 'VALIDATION_ERROR'],
  ['', { Accept: 'image/png' }, 406, 'NOT_ACCEPTABLE'],
])('a result is refused, with %s %o', async (query, headers, status, code) => {
  const response = await fetchResult(query, headers)
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ success: false, error: { code } })
})

describe('a request that waits', () => {
  test('is answered when the job has ended', async () => {
    const id = await client.submit({ url: watchUrl(TALK.id) })
    const { data } = await client.get<{ status: string }>(`/videos/status/${id}?wait=60`)
    expect(data.status).toBe('completed')
  })

  test('is answered in the end although the job has not ended, with a time to ask again', async () => {
    const { id: videoId } = system.addCopy(SAMPLE_TALKS.hindi)
    const release = system.platform.hold({ kind: 'timedtext', videoId })
    const id = await client.submit({ url: watchUrl(videoId) })
    await system.platform.waitForRequest({ kind: 'timedtext', videoId })
    const began = performance.now()
    const status = await client.get<{ status: string }>(`/videos/status/${id}?wait=1`)
    expect(performance.now() - began).toBeGreaterThanOrEqual(990)
    expect(status.data.status).not.toBe('completed')
    expect(Number(status.headers.get('retry-after'))).toBeGreaterThan(0)
    const result = await client.get(`/videos/result/${id}`)
    expect([result.status, result.error.code]).toEqual([409, 'JOB_NOT_COMPLETED'])
    expect(result.error.details).toMatchObject({ status: 'processing' })
    release()
    expect((await client.follow(id)).status).toBe('completed')
  })
})

describe('a webhook', () => {
  const idOf = (webhook: ReceivedWebhook): string => JSON.parse(webhook.body.toString()).data.job_id
  const deliveryOf = (id: string) => system.receiver.waitFor((webhook) => idOf(webhook) === id)
  const submitWithWebhook = async (url: string) => {
    const id = await client.submit({ url, webhook_url: `${system.receiver.origin}/hook?a=1` })
    await client.follow(id)
    return id
  }

  test('has signatures that independent tools verify, and the structured result as its body', async () => {
    const secret = await system.rotateWebhookSecret(client)
    const id = await submitWithWebhook(watchUrl(TALK.id))
    const { headers, body, url } = await deliveryOf(id)
    expect(url).toBe('/hook?a=1')
    const event = JobCompletedEvent.parse(
      new Webhook(secret).verify(body.toString(), headers as Record<string, string>),
    )
    const { data } = await client.get(`/videos/result/${id}?format=json`)
    expect(event.data).toEqual(data)
    expect(headers).toMatchObject({
      'x-webhook-id': event.id,
      'x-webhook-event': 'job.completed',
      'x-webhook-attempt': '1',
      'x-webhook-signature': opensslSignature(secret, body) ?? expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
    })
  })

  test('can be verified with either secret while one replaces the other', async () => {
    const former = await system.rotateWebhookSecret(client)
    const current = await system.rotateWebhookSecret(client)
    const { headers, body } = await deliveryOf(await submitWithWebhook(watchUrl(TALK.id)))
    for (const secret of [former, current])
      new Webhook(secret).verify(body.toString(), headers as Record<string, string>)
    const signature = opensslSignature(current, body)
    if (signature) expect(headers['x-webhook-signature']).toBe(signature)
  })

  test('is sent again with the same bytes when the receiver fails', async () => {
    const seen: ReceivedWebhook[] = []
    system.receiver.reply((webhook) => ({ status: seen.push(webhook) < 3 ? 500 : 204 }))
    const id = await submitWithWebhook(watchUrl(TALK.id))
    await system.receiver.waitFor((webhook) => idOf(webhook) === id && webhook.headers['x-webhook-attempt'] === '3')
    system.receiver.reply({})
    const attempts = seen.filter((webhook) => idOf(webhook) === id)
    expect(attempts.map(({ headers }) => headers['x-webhook-attempt'])).toEqual(['1', '2', '3'])
    expect(new Set(attempts.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(attempts.map(({ body }) => body.toString('base64'))).size).toBe(1)
  })
})

test('results and webhooks leave every invariant intact', async () => {
  expect(await findViolations(system)).toEqual({})
})

/** Returns the signature that the openssl program makes; null if there is no such program. */
function opensslSignature(secret: string, body: Buffer): string | null {
  const directory = mkdtempSync(join(tmpdir(), 'subtext-hmac-'))
  try {
    const file = join(directory, 'body')
    writeFileSync(file, body)
    const { status, stdout } = spawnSync('openssl', ['dgst', '-sha256', '-hmac', secret, '-r', file], {
      encoding: 'utf8',
    })
    return status === 0 ? `sha256=${stdout.slice(0, 64)}` : null
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
