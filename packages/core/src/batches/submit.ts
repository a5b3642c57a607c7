import { PLANS, ServiceError, type SubmitBatch, type ValidationIssue, validationError } from '@subtext/contracts'
import { type Batch, findBatch, type NewBatchJob } from '@subtext/db'
import { v7 as newId } from 'uuid'
import { type Actor, type Context, isAdmin } from '../context.ts'
import type { ReservedResource } from '../idempotency/claim.ts'
import type { AcceptContext } from '../jobs/accept.ts'
import type { SubmitPolicy } from '../jobs/submit.ts'
import { assertPlanAllowsBatch } from '../plans/gates.ts'
import { parseVideoUrl } from '../videos/video-url.ts'
import { acceptBatch } from './accept.ts'
import { type BatchEntry, readEntries, videoUrlIssue } from './entries.ts'

type SubmitContext = AcceptContext & Pick<Context, 'db'> & { submitPolicy: SubmitPolicy }

export interface SubmittedBatch
  extends Pick<Batch, 'id' | 'createdAt' | 'serviceName' | 'agentName' | 'clientReference'> {
  /** Of its jobs, in the order of the request. */
  jobIds: string[]
}

/**
 * Takes many videos in, all or none; with `reserved`, any number of calls make one batch, and charge for one. When it returns,
 * the batch and its jobs are durable. Errors: `PLAN_UPGRADE_REQUIRED`, `VALIDATION_ERROR` (with the place of every entry
 * whose URL names no video or whose webhook may not be called), `QUOTA_EXCEEDED`.
 */
export async function submitBatch(
  ctx: SubmitContext,
  actor: Actor,
  request: SubmitBatch,
  reserved?: ReservedResource,
): Promise<SubmittedBatch> {
  const made = reserved?.mayExist ? await findSubmitted(ctx, actor, reserved.id) : null
  if (made) return made
  const entries = readEntries(request)
  assertPlanAllowsBatch(actor, { ...request, entries })
  const videoIds = await checkEntries(ctx.submitPolicy, request, entries)

  const batch = {
    id: reserved?.id ?? newId(),
    userId: actor.userId,
    webhookUrl: request.webhook_url ?? null,
    serviceName: request.service_name ?? null,
    agentName: request.agent_name ?? null,
    clientReference: request.client_reference ?? null,
  }
  const { webhookUrl, ...shared } = batch
  const jobs = entries.map(
    (entry, batchIndex): NewBatchJob => ({
      ...shared,
      id: newId(),
      batchId: batch.id,
      batchIndex,
      apiKeyId: actor.apiKeyId,
      // Whatever was asked for: many videos at once give way to single ones.
      lane: 'normal',
      priority: request.priority,
      videoId: videoIds[batchIndex] as string,
      options: entry.options,
      customInstructions: entry.custom_instructions ?? null,
      useProxy: null,
      forceRefresh: false,
      webhookUrl: entry.webhook_url ?? null,
      quota: isAdmin(actor) ? null : PLANS[actor.plan].quota,
    }),
  )
  const createdAt = await acceptBatch(ctx, batch, jobs).catch(async (error: unknown) => {
    // The room that was missing may be what this very batch took when somebody else accepted it a moment ago.
    const missedRoom = reserved && error instanceof ServiceError && error.code === 'QUOTA_EXCEEDED'
    if (missedRoom && (await findBatch(ctx.db, actor.userId, reserved.id))) return null
    throw error
  })
  if (createdAt) return { ...batch, createdAt, jobIds: jobs.map(({ id }) => id) }
  const existing = await findSubmitted(ctx, actor, batch.id)
  if (!existing) throw new Error(`Batch ${batch.id} belongs to somebody else.`)
  return existing
}

async function findSubmitted(ctx: Pick<Context, 'db'>, actor: Actor, batchId: string): Promise<SubmittedBatch | null> {
  const found = await findBatch(ctx.db, actor.userId, batchId)
  return found && { ...found.batch, jobIds: found.jobs.map(({ id }) => id) }
}

/** The videos of the entries; throws with everything that is wrong with any of them. */
async function checkEntries(
  policy: SubmitPolicy,
  { webhook_url }: SubmitBatch,
  entries: BatchEntry[],
): Promise<string[]> {
  const issues: ValidationIssue[] = []
  const videoIds = entries.flatMap(({ url, fieldAt }) => {
    const videoId = parseVideoUrl(url)
    if (videoId) return [videoId]
    issues.push(videoUrlIssue(fieldAt('url')))
    return []
  })
  const webhooks = [
    { url: webhook_url, path: 'webhook_url' },
    ...entries.map((entry) => ({ url: entry.webhook_url, path: entry.fieldAt('webhook_url') })),
  ]
  const faults = await fetchFaults(policy, webhooks)
  for (const { url, path } of webhooks) {
    const fault = url === undefined ? undefined : faults.get(url)
    if (fault) issues.push({ path, message: fault, code: 'invalid_webhook_url' })
  }
  if (issues.length > 0) throw validationError(issues)
  return videoIds
}

/** What is wrong with the addresses, each looked at once. */
async function fetchFaults(
  policy: SubmitPolicy,
  webhooks: { url: string | undefined }[],
): Promise<Map<string, string | null>> {
  const urls = new Set(webhooks.flatMap(({ url }) => url ?? []))
  return new Map(await Promise.all([...urls].map(async (url) => [url, await policy.checkWebhookUrl(url)] as const)))
}
