import {
  type PinnedTemplate,
  ServiceError,
  type SubmitBatch,
  type ValidationIssue,
  validationError,
} from '@subtext/contracts'
import { type Origin, readOrigin, startSpan } from '@subtext/runtime'
import { v7 as newId } from 'uuid'
import type { Actor, Context } from '../context.ts'
import { requestBatchDigest } from '../digests/request.ts'
import type { EstimateCosts } from '../estimates/costs.ts'
import {
  acceptWith,
  assertCaptionsFit,
  type ImportCaller,
  prepareImport,
  type ReadImport,
  type ReadImportedCaptions,
} from '../imports/prepare.ts'
import type { SubmitCall } from '../imports/submit.ts'
import type { AcceptContext } from '../jobs/accept.ts'
import type { NewBatchJob } from '../jobs/index.ts'
import { bindTemplates, describeWanted, type ExamineContext, type SubmitPolicy } from '../jobs/submit.ts'
import { findBatchViolations, refuseViolations, type Violation } from '../plans/gates.ts'
import { type QuotaContext, selectQuota } from '../plans/quota.ts'
import { selectVideos, type VideoSubject } from '../sources/index.ts'
import { findLimitIssues, findSpentFor } from '../spending/admit.ts'
import { type PinnedTemplates, pinTemplates } from '../templates/index.ts'
import { videoUrlIssue } from '../videos/refuse-url.ts'
import { parseVideoUrl } from '../videos/video-url.ts'
import { acceptBatch } from './accept.ts'
import { findBatch, type StoredBatch } from './batches-sql.ts'
import { type BatchEntry, readEntries } from './entries.ts'

interface SubmitContext extends AcceptContext, Pick<Context, 'db'>, QuotaContext {
  submitPolicy: SubmitPolicy
  readCaptions: ReadImportedCaptions
  estimateCosts: EstimateCosts
  http: { publicBaseUrl: string }
}

export interface SubmittedBatch
  extends Pick<StoredBatch, 'id' | 'createdAt' | 'serviceName' | 'agentName' | 'clientReference'> {
  /** In the order of the request. */
  jobIds: string[]
  /** How many more videos of the source fit. */
  remaining?: number
}

/**
 * Accepts many videos for processing, all or none; the batch and its jobs are durable when this resolves. With `reserved`,
 * any number of calls create one batch and charge for one. Errors: `PLAN_UPGRADE_REQUIRED`, `VALIDATION_ERROR` (with the
 * path of every URL that does not name a video and every webhook address that may not be called), `CAPTIONS_UNREADABLE` (with
 * the path of all captions that cannot be read), `PAYLOAD_TOO_LARGE`, `QUOTA_EXCEEDED` (also if a spending limit is
 * used up and a video needs a model), and those of `selectVideos`.
 */
export async function submitBatch(
  ctx: SubmitContext,
  actor: Actor,
  request: SubmitBatch,
  { signal, reserved }: SubmitCall,
): Promise<SubmittedBatch> {
  const earlier = reserved?.mayExist ? await findSubmitted(ctx, actor, reserved.id) : null
  if (earlier) {
    // The call that accepted it may have died before.
    if (request.digest) await requestBatchDigest(ctx, actor, earlier.id)
    return earlier
  }
  // Whether a source exists, and what it has, is no business of an account whose plan has no batches.
  if (request.source) refuseViolations(actor, findViolationsOf(actor, request, readEntries(request, [''])))
  const selection = request.source ? await selectVideos(ctx, actor, request.source) : null
  const { videos, violations } = await examineBatch(ctx, actor, request, selection?.videoIds)
  refuseViolations(actor, violations)

  const batch = {
    id: reserved?.id ?? newId(),
    userId: actor.userId,
    webhookUrl: request.webhook_url ?? null,
    serviceName: request.service_name ?? null,
    agentName: request.agent_name ?? null,
    clientReference: request.client_reference ?? null,
    maxCostUsd: request.max_cost_usd ?? null,
  }
  const { webhookUrl, maxCostUsd, ...shared } = batch
  const read = await readImports(ctx.readCaptions, videos, { account: actor.userId, signal })
  const subjects = await Promise.all(
    videos.map((video) => prepareVideo(ctx, actor.userId, video, { read, selected: selection?.subjects })),
  )
  const jobs = subjects.map(
    ({ id, index, entry, subject, templates }): NewBatchJob => ({
      ...shared,
      ...subject,
      id,
      batchId: batch.id,
      batchIndex: index,
      apiKeyId: actor.apiKeyId,
      // Jobs of a batch give way to single videos, whatever priority was requested.
      lane: 'normal',
      priority: request.priority,
      options: bindTemplates(entry.options, templates),
      customInstructions: entry.custom_instructions ?? null,
      useProxy: null,
      forceRefresh: false,
      webhookUrl: entry.webhook_url ?? null,
      ...beginTrace(),
      quota: selectQuota(ctx, actor),
    }),
  )
  const spent = await findSpentFor(ctx, actor, jobs.map(describeWanted))
  if (spent) throw spent
  const imports = subjects.flatMap(({ prepared }) => prepared ?? [])
  const createdAt = await acceptWith(ctx.db, imports, () => acceptBatch(ctx, batch, jobs)).catch(
    async (error: unknown) => {
      // This very batch may have used the last of the quota a moment ago, when a concurrent call accepted it.
      const mayExist = reserved && error instanceof ServiceError && error.code === 'QUOTA_EXCEEDED'
      if (mayExist && (await findBatch(ctx.db, actor.userId, reserved.id))) return null
      throw error
    },
  )
  if (createdAt && request.digest) await requestBatchDigest(ctx, actor, batch.id)
  if (createdAt) return { ...batch, createdAt, jobIds: jobs.map(({ id }) => id), remaining: selection?.remaining }
  const existing = await findSubmitted(ctx, actor, batch.id)
  if (!existing) throw new Error(`Batch ${batch.id} belongs to another account.`)
  return existing
}

/**
 * Returns the origin of a job whose trace is its own: a trace of a batch with all of its jobs would be too large to read. A
 * link leads from it to the request.
 */
function beginTrace(): Origin {
  const origin = readOrigin()
  const span = startSpan('create job', { kind: 'producer', parent: null, links: [origin.traceparent] })
  span.end()
  return { ...origin, traceparent: span.traceparent }
}

async function findSubmitted(ctx: Pick<Context, 'db'>, actor: Actor, batchId: string): Promise<SubmittedBatch | null> {
  const found = await findBatch(ctx.db, actor.userId, batchId)
  return found && { ...found.batch, jobIds: found.jobs.map(({ id }) => id) }
}

/** Reads the imported captions of a batch. Throws one error that lists all that cannot be read. */
async function readImports(
  readCaptions: ReadImportedCaptions,
  videos: BatchVideo[],
  caller: ImportCaller,
): Promise<Map<number, ReadImport>> {
  const read = new Map<number, ReadImport>()
  const unreadable: ServiceError[] = []
  const issues: ValidationIssue[] = []
  for (const video of videos) {
    const source = video.entry.import
    if (!source) continue
    assertCaptionsFit(source)
    try {
      read.set(video.index, await readCaptions(source, caller))
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'CAPTIONS_UNREADABLE') throw error
      unreadable.push(error)
      const code = String(error.details?.reason)
      issues.push({ path: video.entry.fieldAt('import.captions'), message: error.message, code })
    }
  }
  const [first] = unreadable
  if (!first) return read
  throw new ServiceError('CAPTIONS_UNREADABLE', { message: first.message, details: { ...first.details, issues } })
}

/** Returns what the job of an entry is about, with an ID for it. */
async function prepareVideo(
  ctx: SubmitContext,
  userId: string,
  { videoId, ...video }: BatchVideo,
  { read, selected }: { read: Map<number, ReadImport>; selected: Map<string, VideoSubject> | undefined },
) {
  const id = newId()
  const captions = read.get(video.index)
  if (!captions || !video.entry.import) {
    const subject: VideoSubject = selected?.get(videoId ?? '') ?? { videoId: videoId ?? '' }
    return { ...video, id, prepared: null, subject }
  }
  const base = { db: ctx.db, publicBaseUrl: ctx.http.publicBaseUrl }
  const prepared = await prepareImport(base, { userId, jobId: id }, video.entry.import, captions)
  const { transcript: _, ...subject } = prepared
  return { ...video, id, prepared, subject }
}

interface BatchVideo {
  /** Null for imported captions. */
  videoId: string | null
  /** Position in the request. */
  index: number
  entry: BatchEntry
  /** The templates that the entry names; none with violations. */
  templates: PinnedTemplate[]
}

export interface ExaminedBatch {
  /** All of them, or with violations those whose URLs name a video. */
  videos: BatchVideo[]
  /** What the actor's plan does not include. Everything else is checked only if this is empty. */
  violations: Violation[]
}

/** Videos of a source share their options, so one of them says what the plan lacks. */
const findViolationsOf = (actor: Actor, request: SubmitBatch, entries: BatchEntry[]): Violation[] =>
  findBatchViolations(actor, { ...request, entries: request.source ? entries.slice(0, 1) : entries })

/**
 * Checks a batch against the plan and the configuration, but not against the quota. `selected`: the IDs of the videos that were
 * selected from its source. Error: `VALIDATION_ERROR`.
 */
export async function examineBatch(
  ctx: ExamineContext,
  actor: Actor,
  request: SubmitBatch,
  selected: readonly string[] = [],
): Promise<ExaminedBatch> {
  const entries = readEntries(request, selected)
  const violations = findViolationsOf(actor, request, entries)
  const pinned = violations.length === 0 ? await checkEntries(ctx, actor, request, entries) : []
  const videos = entries.flatMap((entry, index): BatchVideo[] => {
    const { templates = [] } = pinned[index] ?? {}
    if (entry.import) return [{ videoId: null, index, entry, templates }]
    const videoId = entry.videoId ?? parseVideoUrl(entry.url ?? '')
    return videoId ? [{ videoId, index, entry, templates }] : []
  })
  return { violations, videos }
}

/** Returns the templates of each entry. Throws one error that lists every problem of every entry. */
async function checkEntries(
  { db, submitPolicy: policy }: ExamineContext,
  { userId }: Actor,
  { webhook_url, max_cost_usd }: SubmitBatch,
  entries: BatchEntry[],
): Promise<PinnedTemplates[]> {
  const issues: ValidationIssue[] = entries
    .filter((entry) => entry.url !== undefined && !parseVideoUrl(entry.url))
    .map((entry) => videoUrlIssue(entry.fieldAt('url'), entry.url ?? ''))
  const webhooks = [
    { url: webhook_url, path: 'webhook_url' },
    ...entries.map((entry) => ({ url: entry.webhook_url, path: entry.fieldAt('webhook_url') })),
  ]
  const problems = await checkWebhookUrls(policy, webhooks)
  for (const { url, path } of webhooks) {
    const problem = url === undefined ? undefined : problems.get(url)
    if (problem) issues.push({ path, message: problem, code: 'invalid_webhook_url' })
  }
  const limits = [
    { path: 'max_cost_usd', limitUsd: max_cost_usd },
    ...entries.map(({ fieldAt, options }) => ({
      path: fieldAt('options.max_cost_usd'),
      limitUsd: options.max_cost_usd,
    })),
  ]
  issues.push(...findLimitIssues(policy.spending, limits))
  const named = entries.map(({ options: { templates: references = [] }, fieldAt }) => ({
    references,
    pathOf: (index: number) => fieldAt(`options.templates.${index}`),
  }))
  const pinned = await pinTemplates(db, userId, named)
  issues.push(...pinned.flatMap((entry) => entry.issues))
  if (issues.length > 0) throw validationError(issues)
  return pinned
}

/** Checks each distinct address once, and returns its problem or null. */
async function checkWebhookUrls(
  policy: SubmitPolicy,
  webhooks: { url: string | undefined }[],
): Promise<Map<string, string | null>> {
  const urls = new Set(webhooks.flatMap(({ url }) => url ?? []))
  return new Map(await Promise.all([...urls].map(async (url) => [url, await policy.checkWebhookUrl(url)] as const)))
}
