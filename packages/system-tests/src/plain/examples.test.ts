import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inheritedEnv } from '@subtext/embedded/testing'
import { loadPassages, type Passage } from '@subtext/examples/load-passages'
import { createReceiver as createExpressReceiver } from '@subtext/examples/webhooks/express'
import { createReceiver as createHonoReceiver } from '@subtext/examples/webhooks/hono'
import { SAMPLE_TALKS } from '@subtext/fakes'
import { Subtext } from '@subtext/sdk'
import { useClient, watchUrl } from '@subtext/testbed'
import { Webhook } from 'standardwebhooks'
import { usePlainSystem } from './use-plain-system.ts'

const EXAMPLES = fileURLToPath(new URL('../../../../examples/src/', import.meta.url))
const TALK = SAMPLE_TALKS.english

const system = usePlainSystem()
const client = useClient(system)
/** Runs an example as its first line says, and returns what it prints. */
const run = async (name: string, argument: string) => {
  const env = { ...inheritedEnv(), SUBTEXT_API_KEY: client.key, SUBTEXT_API_BASE: system.baseUrl }
  return promisify(execFile)(process.execPath, ['--import', 'tsx', join(EXAMPLES, name), argument], { env })
}

test('the example that submits and waits prints a summary', async () => {
  const { stdout } = await run('submit-and-wait.ts', watchUrl(TALK.id))
  expect(stdout).toMatch(new RegExp(`^${TALK.title}\\n\\n\\w`))
})

test('the example that shows progress draws a full bar and prints both summaries', async () => {
  const { stdout, stderr } = await run('show-progress.ts', watchUrl(system.addCopy(TALK).id))
  expect(stderr).toContain('█'.repeat(30))
  for (const mode of ['tldr', 'key_insights']) expect(stdout).toContain(`## ${mode}\n`)
})

test('the example that reads a file submits a batch and prints a line for each video', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'subtext-examples-'))
  try {
    const file = join(folder, 'urls.txt')
    await writeFile(file, `# talks\n${watchUrl(TALK.id)}\n\n${watchUrl('doesNotXist')}\n`)
    const lines = (await run('batch-from-file.ts', file)).stdout.trim().split('\n')
    expect(lines.map((line) => line.split('\t')[0])).toEqual(['completed', 'failed'])
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('the loader yields the whole transcript in passages whose times follow each other', async () => {
  const subtext = new Subtext({ apiKey: client.key, baseUrl: system.baseUrl })
  const passages: Passage[] = []
  for await (const passage of loadPassages(subtext, watchUrl(TALK.id), { length: 400 })) passages.push(passage)
  const { transcript } = await subtext.videos.process({ url: watchUrl(TALK.id) }, { format: 'json' })
  expect(passages.length).toBeGreaterThan(2)
  const whole = transcript.segments.map(({ text }) => text).join(' ')
  expect(passages.map(({ pageContent }) => pageContent).join(' ')).toBe(whole)
  for (const [index, { metadata }] of passages.entries()) {
    expect(metadata.end).toBeGreaterThan(metadata.start)
    expect(metadata.start).toBeGreaterThanOrEqual(passages[index - 1]?.metadata.end ?? 0)
    expect(metadata.source).toContain(`t=${Math.floor(metadata.start)}s`)
  }
})

/** What receives webhooks, as a function of the web standards. */
type Receiver = (request: Request) => Promise<Response>

const SECRET = `whsec_${Buffer.from('a secret of at least 24 bytes').toString('base64')}`
const BODY = JSON.stringify({ id: 'evt_1', event: 'webhook.test', created_at: '2026-11-22T10:00:00Z', data: {} })

function sign(body: string): Request {
  const date = new Date()
  const headers = {
    'Content-Type': 'application/json',
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(date.getTime() / 1_000)),
    'webhook-signature': new Webhook(SECRET).sign('msg_1', date, body),
  }
  return new Request('http://127.0.0.1/webhooks/subtext', { method: 'POST', headers, body })
}

const receivers: [string, () => Promise<Receiver>][] = [
  ['Hono', async () => async (request) => createHonoReceiver(SECRET).fetch(request)],
  [
    'Next.js',
    async () => {
      process.env.SUBTEXT_WEBHOOK_SECRET = SECRET
      return (await import('@subtext/examples/webhooks/next')).POST
    },
  ],
  ['Express', async () => passToExpress],
]
test.each(receivers)('the receiver for %s accepts what is signed, and refuses the rest', async (_, open) => {
  const receive = await open()
  expect((await receive(sign(BODY))).status).toBe(200)
  const tampered = new Request(sign(BODY), { body: BODY.replace('evt_1', 'evt_2'), method: 'POST' })
  expect((await receive(tampered)).status).toBe(400)
})

async function passToExpress(request: Request): Promise<Response> {
  const server = createExpressReceiver(SECRET).listen(0, '127.0.0.1')
  try {
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    const body = await request.arrayBuffer()
    return await fetch(`http://127.0.0.1:${port}/webhooks/subtext`, { method: 'POST', headers: request.headers, body })
  } finally {
    server.close()
  }
}
