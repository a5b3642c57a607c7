import { type ImportCaptions, validationError } from '@subtext/contracts'
import { v7 as newId } from 'uuid'
import type { Actor, Context } from '../context.ts'
import type { EstimateCosts } from '../estimates/costs.ts'
import type { ReservedResource } from '../idempotency/claim.ts'
import type { AcceptJob } from '../jobs/accept.ts'
import { findJob } from '../jobs/index.ts'
import {
  type AcceptedJob,
  assertWebhookFits,
  bindTemplates,
  describeRequested,
  describeSubmitted,
  describeWanted,
  pinOptions,
  type SubmitPolicy,
} from '../jobs/submit.ts'
import { findViolations, refuseViolations } from '../plans/gates.ts'
import type { QuotaContext } from '../plans/quota.ts'
import { findLimitIssues, findSpentFor } from '../spending/admit.ts'
import { acceptWith, assertCaptionsFit, prepareImport, type ReadImportedCaptions } from './prepare.ts'

/** The call that submits something. */
export interface SubmitCall {
  /** Aborts when the caller disconnects: captions are then read no further. */
  signal: AbortSignal
  reserved?: ReservedResource | undefined
}

interface ImportContext extends Pick<Context, 'db' | 'clock'>, QuotaContext {
  accept: AcceptJob
  estimateCosts: EstimateCosts
  submitPolicy: SubmitPolicy
  readCaptions: ReadImportedCaptions
  http: { publicBaseUrl: string }
}

/**
 * Accepts captions for processing like `submitVideo`; job and captions are durable when this resolves. Errors:
 * `CAPTIONS_UNREADABLE`, `PAYLOAD_TOO_LARGE`, `VALIDATION_ERROR` (webhook address), `PLAN_UPGRADE_REQUIRED`, `QUOTA_EXCEEDED`.
 */
export async function submitImport(
  ctx: ImportContext,
  actor: Actor,
  request: ImportCaptions,
  { signal, reserved }: SubmitCall,
): Promise<AcceptedJob> {
  const earlier = reserved?.mayExist ? await findJob(ctx.db, actor.userId, reserved.id) : null
  if (earlier) return describeSubmitted(earlier)
  assertCaptionsFit(request)
  refuseViolations(actor, findViolations(actor, request))
  const { max_cost_usd: limitUsd } = request.options
  const issues = findLimitIssues(ctx.submitPolicy.spending, [{ path: 'options.max_cost_usd', limitUsd }])
  if (issues.length > 0) throw validationError(issues)
  await assertWebhookFits(ctx.submitPolicy, request.webhook_url)
  const templates = await pinOptions(ctx.db, actor, request.options)
  const id = reserved?.id ?? newId()
  const read = await ctx.readCaptions(request, { account: actor.userId, signal })
  const base = { db: ctx.db, publicBaseUrl: ctx.http.publicBaseUrl }
  const prepared = await prepareImport(base, { userId: actor.userId, jobId: id }, request, read)
  const { videoId, videoUrl, imported } = prepared
  const job = {
    ...describeRequested(ctx, actor, request),
    id,
    videoId,
    videoUrl,
    imported,
    options: bindTemplates(request.options, templates),
    useProxy: null,
    forceRefresh: false,
  }
  const spent = await findSpentFor(ctx, actor, [describeWanted(job)])
  if (spent) throw spent
  const createdAt = await acceptWith(ctx.db, [prepared], () => ctx.accept(job))
  return describeSubmitted({ ...job, derivedFrom: null, createdAt })
}
