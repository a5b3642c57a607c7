import {
  type JobOptions,
  type PinnedTemplate,
  type Priority,
  type SubmitVideo,
  type ValidationIssue,
  type VideoOptions,
  validationError,
} from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import { readOrigin } from '@subtext/runtime'
import { v7 as newId } from 'uuid'
import type { Actor, Context } from '../context.ts'
import type { EstimateCosts, WantedVideo } from '../estimates/costs.ts'
import type { ReservedResource } from '../idempotency/claim.ts'
import { findViolations, refuseViolations, type Violation } from '../plans/gates.ts'
import { type QuotaContext, selectQuota } from '../plans/quota.ts'
import { findSubject, type VideoSubject } from '../sources/index.ts'
import { findLimitIssues, findSpentFor, type SpendingPolicy } from '../spending/admit.ts'
import { pinTemplates } from '../templates/index.ts'
import { refuseVideoUrl } from '../videos/refuse-url.ts'
import { parseVideoUrl, videoUrlOf } from '../videos/video-url.ts'
import type { CheckWebhookUrl } from '../webhooks/address-guard.ts'
import type { AcceptJob } from './accept.ts'
import { findJob } from './find-sql.ts'
import type { Job, NewJob } from './job-row.ts'

export interface SubmitPolicy {
  proxiesConfigured: boolean
  checkWebhookUrl: CheckWebhookUrl
  spending: SpendingPolicy
}

export interface AcceptedJob extends Pick<Job, 'serviceName' | 'agentName' | 'clientReference'> {
  jobId: string
  videoId: string
  videoUrl: string
  priority: Priority
  derivedFrom: string | null
  createdAt: Date
}

interface SubmitContext extends Pick<Context, 'db' | 'clock'>, QuotaContext {
  accept: AcceptJob
  estimateCosts: EstimateCosts
  submitPolicy: SubmitPolicy
}

/**
 * Accepts a video for processing; the job is durable when this resolves. With `reserved`, any number of calls create one
 * job and charge for one. Errors: `INVALID_VIDEO_URL`, `VALIDATION_ERROR` (webhook address, missing proxies),
 * `PLAN_UPGRADE_REQUIRED`, `QUOTA_EXCEEDED` (also if a spending limit is used up and the video needs a model), and those of
 * `findSubject`.
 */
export async function submitVideo(
  ctx: SubmitContext,
  actor: Actor,
  request: SubmitVideo,
  reserved?: ReservedResource,
): Promise<AcceptedJob> {
  const earlier = reserved?.mayExist ? await findJob(ctx.db, actor.userId, reserved.id) : null
  if (earlier) return describeSubmitted(earlier)
  const job = await readSubmission(ctx, actor, request, reserved?.id ?? newId())
  const spent = await findSpentFor(ctx, actor, [describeWanted(job)])
  if (spent) throw spent
  const createdAt = await ctx.accept(job)
  return describeSubmitted({ ...job, videoUrl: job.videoUrl ?? null, derivedFrom: null, createdAt })
}

type Submitted = Pick<
  Job,
  | 'id'
  | 'videoId'
  | 'videoUrl'
  | 'priority'
  | 'derivedFrom'
  | 'createdAt'
  | 'serviceName'
  | 'agentName'
  | 'clientReference'
>

/** Returns what the caller is told about an accepted job. */
export const describeSubmitted = (job: Submitted): AcceptedJob => ({
  jobId: job.id,
  videoId: job.videoId,
  videoUrl: videoUrlOf(job),
  priority: job.priority,
  derivedFrom: job.derivedFrom,
  createdAt: job.createdAt,
  serviceName: job.serviceName,
  agentName: job.agentName,
  clientReference: job.clientReference,
})

type WantedJob = Pick<NewJob, 'videoId' | 'options' | 'customInstructions' | 'forceRefresh'>

/** Returns what estimates need to know of a job. */
export const describeWanted = ({ videoId, options, customInstructions, forceRefresh }: WantedJob): WantedVideo => ({
  videoId,
  options,
  templates: options.pinned_templates ?? [],
  instructions: customInstructions,
  forceRefresh,
})

/** What requests are checked against besides the plan. */
export interface ExamineContext extends Pick<Context, 'db'> {
  submitPolicy: SubmitPolicy
}

export interface ExaminedSubmission extends VideoSubject {
  /** What the actor's plan does not include. Everything else is checked only if this is empty. */
  violations: Violation[]
  /** The templates that the request names; none with violations. */
  templates: PinnedTemplate[]
}

function readUrl(url: string): VideoSubject {
  const videoId = parseVideoUrl(url)
  if (!videoId) throw refuseVideoUrl('url', url)
  return { videoId }
}

/**
 * Checks a request against the plan and the configuration, but not against the quota. Errors: `INVALID_VIDEO_URL`,
 * `VALIDATION_ERROR`, and those of `findSubject`.
 */
export async function examineSubmission(
  ctx: ExamineContext,
  actor: Actor,
  request: SubmitVideo,
): Promise<ExaminedSubmission> {
  const subject = request.source ? await findSubject(ctx, actor, request.source) : readUrl(request.url ?? '')
  const violations = findViolations(actor, request)
  const templates = violations.length === 0 ? await assertRequestFits(ctx, actor, request) : []
  return { ...subject, violations, templates }
}

/** Checks a request like `examineSubmission`, and returns the job to accept. */
async function readSubmission(
  ctx: QuotaContext & ExamineContext,
  actor: Actor,
  request: SubmitVideo,
  jobId: string,
): Promise<NewJob> {
  const { violations, templates, ...subject } = await examineSubmission(ctx, actor, request)
  refuseViolations(actor, violations)
  return {
    ...describeRequested(ctx, actor, request),
    id: jobId,
    ...subject,
    options: bindTemplates(request.options, templates),
    useProxy: request.use_proxy ?? null,
    forceRefresh: request.force_refresh,
  }
}

type RequestedFields =
  | 'priority'
  | 'options'
  | 'custom_instructions'
  | 'webhook_url'
  | 'service_name'
  | 'agent_name'
  | 'client_reference'

/** Returns the part of a job that requests for videos and for imports say in the same fields. */
export const describeRequested = (ctx: QuotaContext, actor: Actor, request: Pick<SubmitVideo, RequestedFields>) => ({
  userId: actor.userId,
  apiKeyId: actor.apiKeyId,
  lane: request.priority,
  priority: request.priority,
  options: request.options,
  customInstructions: request.custom_instructions ?? null,
  webhookUrl: request.webhook_url ?? null,
  serviceName: request.service_name ?? null,
  agentName: request.agent_name ?? null,
  clientReference: request.client_reference ?? null,
  ...readOrigin(),
  quota: selectQuota(ctx, actor),
})

/** Throws `VALIDATION_ERROR` for a webhook address that may not be called. */
export async function assertWebhookFits(policy: SubmitPolicy, url: string | undefined): Promise<void> {
  const issues = await findWebhookIssues(policy, url)
  if (issues.length > 0) throw validationError(issues)
}

/** Returns the templates of the request. */
async function assertRequestFits(
  { db, submitPolicy }: ExamineContext,
  actor: Actor,
  request: SubmitVideo,
): Promise<PinnedTemplate[]> {
  const { max_cost_usd: limitUsd } = request.options
  const issues = [
    ...findLimitIssues(submitPolicy.spending, [{ path: 'options.max_cost_usd', limitUsd }]),
    ...(await findWebhookIssues(submitPolicy, request.webhook_url)),
  ]
  if (request.use_proxy === true && !submitPolicy.proxiesConfigured) {
    issues.push({
      path: 'use_proxy',
      message: 'Must not be `true`: this installation has no proxies. Leave it out, or set PROXY_URLS.',
      code: 'no_proxies',
    })
  }
  return pinOptions(db, actor, request.options, issues)
}

/** Returns the templates that options name. Throws an error that lists those that do not exist, after other `issues`. */
export async function pinOptions(
  sql: Sql,
  { userId }: Actor,
  { templates: references = [] }: VideoOptions,
  issues: ValidationIssue[] = [],
): Promise<PinnedTemplate[]> {
  const pathOf = (index: number): string => `options.templates.${index}`
  const [pinned] = await pinTemplates(sql, userId, [{ references, pathOf }])
  const { templates = [], issues: unknown = [] } = pinned ?? {}
  if (issues.length + unknown.length > 0) throw validationError([...issues, ...unknown])
  return templates
}

/** Binds a job to the versions of its templates that exist now. */
export const bindTemplates = (options: VideoOptions, templates: PinnedTemplate[]): JobOptions => ({
  ...options,
  ...(templates.length > 0 && { pinned_templates: templates }),
})

/** Returns why the webhook address of a request may not be called. */
export async function findWebhookIssues(
  policy: Pick<SubmitPolicy, 'checkWebhookUrl'>,
  url: string | undefined,
): Promise<ValidationIssue[]> {
  const problem = url && (await policy.checkWebhookUrl(url))
  return problem ? [{ path: 'webhook_url', message: problem, code: 'invalid_webhook_url' }] : []
}
