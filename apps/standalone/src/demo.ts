import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { SUMMARY_MODES } from '@subtext/contracts'
import { createApiKey } from '@subtext/core/api-keys'
import { createSecretBox, rotateWebhookSecret } from '@subtext/core/webhooks'
import { migrate } from '@subtext/db'
import { openPrismaDb } from '@subtext/db/prisma'
import { findFreePort, startEmbedded } from '@subtext/embedded'
import { SAMPLE_TALKS, startWebhookReceiver } from '@subtext/fakes'
import { keyRing } from '@subtext/runtime'
import { APPS } from './app-process.ts'
import { createApi } from './demo-client.ts'
import { inheritedSettings } from './env.ts'
import { newSecretKey } from './secret-key.ts'
import { startService } from './service.ts'
import { verifyWebhook } from './verify-webhook.ts'

const EMAIL = 'demo@subtext.local'
const TRANSCRIPT_CHARACTERS = 600
const WEBHOOK_TIMEOUT_MS = 30_000
const STOP_GRACE_MS = 5_000
const MAX_DEMO_MS = 180_000

const started = performance.now()
const say = (text: string): void =>
  console.log(`[${((performance.now() - started) / 1_000).toFixed(1).padStart(5)} s] ${text}`)

/** Aborts on Ctrl-C, and when the demo takes longer than it ever should. */
const interruption = new AbortController()
const interrupted = once(interruption.signal, 'abort').then(() => {
  throw interruption.signal.reason
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => interruption.abort(new Error('interrupted')))
}
setTimeout(() => interruption.abort(new Error('The demo took too long.')), MAX_DEMO_MS).unref()

/** Cleanup steps, run in reverse order at the end. */
const undo: (() => Promise<unknown>)[] = []

async function main(): Promise<void> {
  say('starting a temporary Postgres and Redis')
  const dataDir = await mkdtemp(join(tmpdir(), 'subtext-demo-'))
  undo.push(() => rm(dataDir, { recursive: true, force: true }))
  const servers = await startEmbedded({ dataDir, durable: false, onProgress: say })
  undo.push(servers.stop)
  say('applying the database migrations')
  await migrate(servers.databaseUrl)

  say('starting a webhook receiver')
  const receiver = await startWebhookReceiver({})
  undo.push(receiver.close)

  say('starting the API, a worker with the sample video platform, and the webhook sender')
  const port = await findFreePort()
  const secretKey = newSecretKey()
  const baseUrl = `http://127.0.0.1:${port}`
  const service = await startService(
    {
      ...inheritedSettings(),
      DATABASE_URL: servers.databaseUrl,
      REDIS_URL: servers.redisUrl,
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_BASE_URL: baseUrl,
      SAMPLE_VIDEOS: 'true',
      SUMMARIZER: 'extractive',
      SHUTDOWN_GRACE_SECONDS: '3',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      WEBHOOK_SECRET_KEY: secretKey,
      BLOB_STORE_URL: pathToFileURL(join(dataDir, 'blobs')).href,
      LOG_LEVEL: 'warn',
    },
    baseUrl,
    { say, apps: APPS, stopped: interruption.signal },
  )
  undo.push(() => service.stop(STOP_GRACE_MS))

  const { key, secret } = await createProUser(servers.databaseUrl, secretKey)
  const api = createApi(baseUrl, key)
  await follow(api, receiver, secret)
}

async function createProUser(url: string, secretKey: string): Promise<{ key: string; secret: string }> {
  const db = openPrismaDb({ url, maxConnections: 1 })
  try {
    const key = await createApiKey({ db }, { email: EMAIL, plan: 'pro', scopes: ['read', 'write'] })
    const secretBox = createSecretBox(keyRing.parse(secretKey))
    const secret = await rotateWebhookSecret({ db, secretBox, clock: () => new Date() }, EMAIL)
    if (!secret) throw new Error('The demo user does not exist.')
    return { key, secret }
  } finally {
    await db.close()
  }
}

type Receiver = Awaited<ReturnType<typeof startWebhookReceiver>>

async function follow(api: ReturnType<typeof createApi>, receiver: Receiver, secret: string): Promise<void> {
  const video = SAMPLE_TALKS.english
  const url = `https://www.youtube.com/watch?v=${video.id}`
  say(`submitting ${url} with all five modes, as a Pro user`)
  const jobId = await api.submit({
    url,
    options: { summary_modes: SUMMARY_MODES },
    webhook_url: `${receiver.origin}/hook`,
  })

  const job = await api.follow(jobId, (status) =>
    say(`${String(status.progress_percentage).padStart(3)}%  ${status.current_step}`),
  )
  if (job.status !== 'completed') throw new Error(`The job failed: ${JSON.stringify(job.error)}`)

  const result = await api.result(jobId)
  console.log(`\n# ${result.video_info.title}\n`)
  for (const mode of SUMMARY_MODES) {
    // A terminal shows no links: the times of the claims are enough.
    console.log(`--- ${mode} ---\n${result.summaries[mode]?.replace(/\]\(https:[^)]{1,200}\)/g, ']')}\n`)
  }
  console.log(`--- transcript (${result.transcript.language}, ${result.transcript.kind}) ---`)
  console.log(`${result.transcript.text.slice(0, TRANSCRIPT_CHARACTERS)}...\n`)

  const delivery = await receiver.waitFor(() => true, WEBHOOK_TIMEOUT_MS)
  verifyWebhook(delivery.headers, delivery.body, secret)
  say('webhook verified')
}

async function cleanUp(): Promise<void> {
  while (undo.length > 0) await undo.pop()?.()
}

const code = await Promise.race([main(), interrupted]).then(
  () => 0,
  (error: Error) => {
    console.error(error.stack)
    return 1
  },
)
say('stopping')
await cleanUp()
process.exit(code)
