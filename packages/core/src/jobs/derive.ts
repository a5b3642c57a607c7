import {
  type DeriveJob,
  MAX_DERIVED_JOBS,
  type PinnedTemplate,
  ServiceError,
  SUMMARY_MODES,
  type SummaryMode,
  type ValidationIssue,
  validationError,
} from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import { readOrigin } from '@subtext/runtime'
import { v7 as newId } from 'uuid'
import type { Actor, Context } from '../context.ts'
import type { EstimateCosts } from '../estimates/costs.ts'
import type { ReservedResource } from '../idempotency/claim.ts'
import { refuseSuspended } from '../operations/suspended.ts'
import { findViolations, refuseViolations } from '../plans/gates.ts'
import { findLimitIssues, findSpentFor } from '../spending/admit.ts'
import { pinTemplates } from '../templates/index.ts'
import { type AcceptContext, announceAccepted, WAKE_SECONDS } from './accept.ts'
import { acceptDerivedJobs, type NewDerivedJob } from './derive-sql.ts'
import { findFollowedJobs, findJob } from './find-sql.ts'
import { getCompletedJob } from './get.ts'
import type { ShownJob } from './job-row.ts'
import {
  type AcceptedJob,
  bindTemplates,
  describeSubmitted,
  describeWanted,
  findWebhookIssues,
  type SubmitPolicy,
} from './submit.ts'

export interface DeriveContext extends AcceptContext {
  submitPolicy: Pick<SubmitPolicy, 'checkWebhookUrl' | 'spending'>
  estimateCosts: EstimateCosts
}

/** This limit is never reset, but `Retry-After` is required. A day is long enough. */
const RETRY_AFTER_SECONDS = 86_400

/**
 * Accepts a job derived from a completed job of the actor, its source: the same transcript, no video of the quota. With
 * `reserved`, any number of calls create one job. Errors: `NOT_FOUND`, `JOB_NOT_COMPLETED` and the error of a failed source;
 * `PLAN_UPGRADE_REQUIRED`, `VALIDATION_ERROR` (webhook address, no modes), `QUOTA_EXCEEDED`.
 */
export async function deriveJob(
  ctx: DeriveContext,
  actor: Actor,
  sourceId: string,
  request: DeriveJob,
  reserved?: ReservedResource,
): Promise<AcceptedJob> {
  const earlier = reserved?.mayExist ? await findJob(ctx.db, actor.userId, reserved.id) : null
  if (earlier) return describeSubmitted(earlier)
  const prepared = await prepareDerivedJob(ctx, actor, sourceId, request, { id: reserved?.id ?? newId() })
  const [createdAt = ctx.clock()] = await acceptPreparedJobs(ctx, [prepared])
  const { source, job } = prepared
  return describeSubmitted({ ...source, id: job.id, priority: 'normal', derivedFrom: source.id, createdAt })
}

/** A derived job that can be accepted. */
export interface PreparedJob {
  source: ShownJob
  job: NewDerivedJob
}

/**
 * Returns a derived job as it can be accepted, with its source. `pinned`: templates to fill that the request does not name.
 * Errors: those of `deriveJob`.
 */
export async function prepareDerivedJob(
  ctx: DeriveContext,
  actor: Actor,
  sourceId: string,
  request: DeriveJob,
  { id, pinned: given }: { id: string; pinned?: PinnedTemplate[] },
): Promise<PreparedJob> {
  const source = await getCompletedJob(ctx, actor, sourceId)
  const present = request.summary_modes ? [] : await listModes(ctx, source)
  const modes = request.summary_modes ?? (rewrites(request) ? present : [])
  const job = buildDerivedJob(actor, source, { ...request, summary_modes: modes }, id)
  const { options, customInstructions } = job
  const violations = findViolations(actor, {
    options,
    webhook_url: request.webhook_url,
    custom_instructions: customInstructions ?? undefined,
    // In this request, the options of a submission are fields at the top level.
    fieldAt: (field) => field.replace(/^options\./, ''),
  })
  refuseViolations(actor, violations)
  const issues = [
    ...findLimitIssues(ctx.submitPolicy.spending, [{ path: 'max_cost_usd', limitUsd: request.max_cost_usd }]),
    ...(await findWebhookIssues(ctx.submitPolicy, request.webhook_url)),
  ]
  if (!request.summary_modes && !request.templates && !given && present.length === 0) issues.unshift(NO_MODES)
  const pathOf = (index: number): string => `templates.${index}`
  const [pinned] = await pinTemplates(ctx.db, actor.userId, [{ references: request.templates ?? [], pathOf }])
  issues.push(...(pinned?.issues ?? []))
  if (issues.length > 0) throw validationError(issues)

  const bound = { ...job, options: bindTemplates(options, given ?? pinned?.templates ?? []) }
  const wanted = describeWanted({ ...bound, videoId: source.videoId, forceRefresh: false })
  const spent = await findSpentFor(ctx, actor, [wanted])
  if (spent) throw spent

  return { source, job: bound }
}

/**
 * Accepts derived jobs, all or none, together with what `write` writes. Returns when each was accepted. Errors: `NOT_FOUND`,
 * `QUOTA_EXCEEDED`, and that of a suspended account.
 */
export async function acceptPreparedJobs(
  ctx: DeriveContext,
  prepared: readonly PreparedJob[],
  write: (sql: Sql) => Promise<void> = async () => undefined,
): Promise<Date[]> {
  const jobs = prepared.map(({ job }) => job)
  const limits = { limit: MAX_DERIVED_JOBS, now: ctx.clock(), wakeSeconds: WAKE_SECONDS }
  const times = await ctx.db.transaction(async (sql) => {
    const outcomes = await acceptDerivedJobs(sql, jobs, limits)
    await write(sql)
    return outcomes.map((accepted) => {
      if (accepted.outcome === 'accepted') return accepted.createdAt
      if (accepted.outcome === 'suspended') throw refuseSuspended()
      throw accepted.outcome === 'gone' ? new ServiceError('NOT_FOUND') : derivedJobsExhausted()
    })
  })
  announceAccepted(
    ctx,
    jobs.map(({ id }) => ({ id, lane: 'normal' })),
  )
  return times
}

/** Whether the request asks for summaries that differ from those of the source. */
const rewrites = ({ custom_instructions, output_language }: DeriveJob): boolean =>
  custom_instructions !== undefined || output_language !== undefined

/** The issue of a request that would change or draw the summaries of a job that has none. */
const NO_MODES: ValidationIssue = {
  path: 'summary_modes',
  message: 'Is required, because the job has no summaries yet. Name at least one.',
  code: 'required',
}

/** Lists the modes that were requested or that the job has, in the order in which they are presented. */
async function listModes(ctx: Pick<Context, 'db'>, { userId, id, options }: ShownJob): Promise<SummaryMode[]> {
  const [found] = await findFollowedJobs(ctx.db, [{ userId, jobId: id }])
  const modes = new Set([...options.summary_modes, ...(found?.readyModes ?? [])])
  return SUMMARY_MODES.filter((mode) => modes.has(mode))
}

/** Returns the job to accept. Fields that the request leaves out are taken from the source. */
function buildDerivedJob(
  actor: Actor,
  source: ShownJob,
  request: DeriveJob & { summary_modes: SummaryMode[] },
  id: string,
): NewDerivedJob {
  const { summary_modes, custom_instructions, output_language, generate_infographic, templates, max_cost_usd } = request
  // What the source filled is copied, and its limit was for its own cost.
  const {
    output_language: sourceLanguage,
    templates: _,
    pinned_templates: __,
    max_cost_usd: ___,
    ...options
  } = source.options
  const language = output_language === undefined ? sourceLanguage : output_language
  return {
    id,
    userId: actor.userId,
    apiKeyId: actor.apiKeyId,
    sourceId: source.id,
    options: {
      ...options,
      summary_modes,
      generate_infographic,
      ...(language && { output_language: language }),
      ...(max_cost_usd !== undefined && { max_cost_usd }),
      ...(templates && { templates }),
    },
    customInstructions: custom_instructions === undefined ? source.customInstructions : custom_instructions,
    webhookUrl: request.webhook_url ?? null,
    ...readOrigin(),
  }
}

const derivedJobsExhausted = (): ServiceError =>
  new ServiceError('QUOTA_EXCEEDED', {
    message: `Up to ${MAX_DERIVED_JOBS} jobs can be derived from a job. Submit the video again: what has been written is reused.`,
    retryable: false,
    details: { quota: 'derive', limit: MAX_DERIVED_JOBS, used: MAX_DERIVED_JOBS, reset_at: null },
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
