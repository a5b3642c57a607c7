import { setMaxListeners } from 'node:events'
import type { PasswordHashing } from '@subtext/accounts'
import { type BlobStore, createBlobStore } from '@subtext/blobs'
import { EXTRACTIVE, MAX_EXPORTS, type PlanQuotas } from '@subtext/contracts'
import { createKeyUseRecorder, createKeyVerifier, type KeyUseRecorder, type VerifyApiKey } from '@subtext/core/api-keys'
import type { ChatPolicy } from '@subtext/core/chats'
import type { Context, PrismaContext } from '@subtext/core/context'
import { createOutageQueue, openDatabaseClock, type PersistWrite } from '@subtext/core/coordination'
import { createCostEstimator, type EstimateCosts } from '@subtext/core/estimates'
import type { ReadImportedCaptions } from '@subtext/core/imports'
import {
  type AcceptContext,
  type AcceptJob,
  createAcceptor,
  createDurationEstimator,
  createEstimator,
  createJobLookups,
  createPaceReader,
  type EstimateDuration,
  type EstimateRemaining,
  type LookupContext,
  type SubmitPolicy,
} from '@subtext/core/jobs'
import type { FeedPolicy } from '@subtext/core/sources'
import { createRequestCounter, type RequestCounter } from '@subtext/core/usage'
import {
  cacheNameLookups,
  createNameResolver,
  createSecretBox,
  createWebhookUrlCheck,
  type SecretBox,
} from '@subtext/core/webhooks'
import type { Db } from '@subtext/db'
import { createRenderer } from '@subtext/documents'
import { selectPricing } from '@subtext/llm/settings'
import type { Producer, RequestLimits } from '@subtext/queue'
import {
  createHealth,
  createLogger,
  createMetrics,
  endsWithin,
  type Health,
  type Logger,
  publicBaseUrlOf,
} from '@subtext/runtime'
import { createThumbnailFinder, type FindLargeThumbnails } from '@subtext/youtube/thumbnails'
import type { AnswerWriter } from './chat/answer-writer.ts'
import { openChat } from './chat/open-chat.ts'
import { openConnections } from './connections.ts'
import type { ApiEnv } from './env.ts'
import { createInfographicDrawer, type DrawInfographic } from './exports/draw-infographic.ts'
import { createDigestExporter, type ExportDigestPdf } from './exports/export-digest.ts'
import { createPdfExporter, type ExportPdf } from './exports/export-pdf.ts'
import { type AcquireStream, createStreamLimiter } from './http/event-stream.ts'
import { type HttpSettings, readHttpSettings } from './http/http-settings.ts'
import { openImportThreads } from './imports/open-threads.ts'
import { createCaptionsReader, createFileDecoder, type DecodeCaptionFile } from './imports/read-captions.ts'
import { type LibraryReader, openLibrary } from './library/open-library.ts'
import { type ApiMetrics, createApiMetrics } from './metrics.ts'
import { type OAuth, openOAuth } from './oauth/open-oauth.ts'
import { openAccounts, type SignIn } from './sign-in.ts'
import { createSummaryOutlook } from './summary-outlook.ts'

export interface ApiContext extends PrismaContext, LookupContext, Pick<AcceptContext, 'onAccepted'> {
  accept: AcceptJob
  persist: PersistWrite
  verifyKey: VerifyApiKey
  keyUses: Pick<KeyUseRecorder, 'record'>
  estimateRemaining: EstimateRemaining
  estimateDuration: EstimateDuration
  estimateCosts: EstimateCosts
  /** Whether a language model is configured. */
  hasModel: boolean
  submitPolicy: SubmitPolicy
  feeds: FeedPolicy
  readCaptions: ReadImportedCaptions
  decodeCaptionFile: DecodeCaptionFile
  planQuotas: PlanQuotas
  chatPolicy: ChatPolicy
  answers: AnswerWriter
  library: LibraryReader
  secretBox: SecretBox
  blobs: BlobStore
  drawInfographic: DrawInfographic
  exportPdf: ExportPdf
  exportDigestPdf: ExportDigestPdf
  requestLimits: RequestLimits
  metrics: ApiMetrics
  requestCounter: RequestCounter
  acquireStream: AcquireStream
  /** Limits the answers that are being written for an account, whether someone waits for them or not. */
  acquireAnswer: AcquireStream
  /** One export of an account at a time. */
  acquireExport: AcquireStream
  /** Limits the exports of results of an account that are written at the same time, in this process. */
  acquireResultExport: AcquireStream
  findLargeThumbnails: FindLargeThumbnails
  /** Null if sign-in is disabled. */
  signIn: SignIn | null
  /** Access tokens for connected applications. Null if sign-in is disabled. */
  oauth: OAuth | null
  http: HttpSettings
  health: Health
  /** Aborts when the process begins to stop: requests that wait respond at once. */
  draining: AbortSignal
}

export interface OpenApiContext {
  context: ApiContext
  /** Starts to send emails. */
  sendEmails(): void
  drain(): void
  close(): Promise<void>
}

/** How long the end of the process may wait for servers that do not respond. */
const FLUSH_TIMEOUT_MS = 3_000
const CLOSE_TIMEOUT_MS = 1_500
/** Event streams that an account can have open at the same time, in this process. */
const MAX_STREAMS = 100
/** Answers in chats that are written for an account at the same time, in this process. Each holds a transcript in memory. */
const MAX_ANSWERS = 50

interface ContextOptions {
  metrics?: ApiMetrics
  /** Replaced in tests only. */
  clock?: () => Date
  redisTimeoutMs?: number
  imageHostTimeoutMs?: number
  passwords?: PasswordHashing
}

/** Opens the connections and creates the services that the API needs. */
export function createContext(
  env: ApiEnv,
  {
    metrics = createApiMetrics(createMetrics()),
    clock: givenClock,
    redisTimeoutMs,
    imageHostTimeoutMs,
    passwords,
  }: ContextOptions = {},
): OpenApiContext {
  const log = createLogger('api', env.LOG_LEVEL)
  const { db, queue, producer, notifier, requestLimits } = openConnections(env, { log, metrics, redisTimeoutMs })
  const databaseClock = openDatabaseClock(db, log)
  const clock = givenClock ?? databaseClock.now
  const draining = createDraining()
  const base = { db, producer, notifier, clock, log, onAccepted: metrics.countAccepted } satisfies PrismaContext &
    AcceptContext
  const health = createApiHealth(db, producer, log, draining.signal)
  metrics.process.observe(env.SUBTEXT_VERSION, health)
  metrics.observeDemand(db)
  const keyUses = createKeyUseRecorder(base)
  const requestCounter = createRequestCounter(base)
  const secretBox = createSecretBox(env.WEBHOOK_SECRET_KEY)
  const accounts = openAccounts(env, base, { secretBox, metrics, passwords })
  const persist = createOutageQueue()
  const library = openLibrary({ ...base, metrics })
  const chat = openChat(env, { ...base, persist, library }, { queue, metrics })
  const exports = openExports(env, base, metrics)
  const importThreads = openImportThreads()

  return {
    context: {
      ...base,
      accept: createAcceptor(base),
      lookups: createJobLookups(db),
      persist,
      ...chat.parts,
      library,
      verifyKey: createKeyVerifier(base),
      keyUses,
      ...createEstimators(env, base),
      requestLimits,
      metrics,
      requestCounter,
      ...createLimiters(),
      findLargeThumbnails: createThumbnailFinder({
        origin: env.YOUTUBE_ORIGIN,
        hasSamples: env.SAMPLE_VIDEOS,
        timeoutMs: imageHostTimeoutMs,
      }),
      signIn: accounts.signIn,
      oauth: accounts.signIn && openOAuth(env, base),
      secretBox,
      ...exports.parts,
      ...createPolicies(env),
      readCaptions: createCaptionsReader(importThreads, metrics.imports),
      decodeCaptionFile: createFileDecoder(importThreads, metrics.imports),
      planQuotas: env.PLAN_QUOTAS,
      http: readHttpSettings(env),
      health,
      draining: draining.signal,
    },
    sendEmails: accounts.sendEmails,
    drain: () => draining.abort(),
    async close() {
      await chat.parts.answers.close(0)
      exports.close()
      databaseClock.close()
      await endsWithin(FLUSH_TIMEOUT_MS, Promise.all([keyUses.close(), requestCounter.close(), accounts.close()]))
      const closing = [producer, notifier, requestLimits, chat, importThreads, db].map((each) => each.close())
      await endsWithin(CLOSE_TIMEOUT_MS, Promise.allSettled(closing))
    },
  }
}

/** Creates what limits the open streams, answers and exports of each account. */
const createLimiters = (): Pick<
  ApiContext,
  'acquireStream' | 'acquireAnswer' | 'acquireExport' | 'acquireResultExport'
> => ({
  acquireStream: createStreamLimiter(MAX_STREAMS),
  acquireAnswer: createStreamLimiter(
    MAX_ANSWERS,
    `An account can have at most ${MAX_ANSWERS} answers written at the same time. Wait for one of them.`,
  ),
  acquireExport: createStreamLimiter(1, 'An export of this account is already running. Wait until it ends.'),
  acquireResultExport: createStreamLimiter(
    MAX_EXPORTS,
    `An account can have at most ${MAX_EXPORTS} exports written at the same time. Wait for one of them.`,
  ),
})

/** Creates the estimates. */
function createEstimators(env: ApiEnv, ctx: Context) {
  const readPace = createPaceReader(ctx)
  const outlook = createSummaryOutlook(env)
  return {
    hasModel: outlook.model !== EXTRACTIVE,
    estimateRemaining: createEstimator(ctx, readPace),
    estimateDuration: createDurationEstimator(ctx, readPace),
    estimateCosts: createCostEstimator(ctx, outlook),
  }
}

function createDraining(): AbortController {
  const draining = new AbortController()
  // Every waiting request adds a listener, so their number has no limit.
  setMaxListeners(0, draining.signal)
  return draining
}

function createPolicies(env: ApiEnv): Pick<ApiContext, 'submitPolicy' | 'feeds'> {
  const resolve = cacheNameLookups(createNameResolver())
  const allowPrivate = env.WEBHOOK_ALLOW_PRIVATE
  return {
    submitPolicy: {
      spending: { model: selectPricing(env), dailyLimitUsd: env.DAILY_SPEND_LIMIT_USD ?? null },
      proxiesConfigured: (env.PROXY_URLS ?? []).length > 0,
      checkWebhookUrl: createWebhookUrlCheck({ allowPrivate, httpsOnly: env.WEBHOOK_HTTPS_ONLY }, resolve),
    },
    feeds: {
      origin: publicBaseUrlOf(env),
      hasSamples: env.SAMPLE_VIDEOS,
      checkUrl: createWebhookUrlCheck({ allowPrivate, httpsOnly: false }, resolve),
    },
  }
}

/** Opens what renders documents and keeps them. One renderer limits all documents of the process. */
function openExports(env: ApiEnv, base: Pick<Context, 'db' | 'clock' | 'log'>, metrics: ApiMetrics) {
  const renderer = createRenderer({
    cpuMs: env.RENDER_TIMEOUT_SECONDS * 1_000,
    memoryBytes: env.RENDER_MEMORY_MB * 1024 ** 2,
    observe: metrics.renders.observe,
  })
  metrics.renders.watch(renderer)
  const documents = { ...base, blobs: createBlobStore(env.BLOB_STORE_URL, metrics.blobs), renderer }
  return {
    parts: {
      blobs: documents.blobs,
      exportPdf: createPdfExporter(documents),
      exportDigestPdf: createDigestExporter(renderer),
      drawInfographic: createInfographicDrawer(documents),
    },
    close: () => renderer.close(),
  }
}

/** The API is ready without Redis: jobs wait in PostgreSQL. */
const createApiHealth = (db: Db, producer: Producer, log: Logger, draining: AbortSignal): Health =>
  createHealth({
    log,
    required: { postgres: () => db.query('SELECT 1') },
    optional: { redis: producer.checkConnection },
    draining,
  })
