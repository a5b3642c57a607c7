import { PLAN_TERMS, type Priority, ServiceError, type SubmitVideo, validationError } from '@subtext/contracts'
import { v7 as newId } from 'uuid'
import { type Actor, isAdmin } from '../context.ts'
import { assertPlanAllows } from '../plans/gates.ts'
import { canonicalVideoUrl, parseVideoUrl } from '../video-url.ts'
import type { FetchWebhookUrlFault } from '../webhooks/address-guard.ts'
import type { AcceptJob } from './accept.ts'

export interface SubmitPolicy {
  proxiesConfigured: boolean
  fetchWebhookUrlFault: FetchWebhookUrlFault
}

export interface SubmittedJob {
  jobId: string
  videoId: string
  videoUrl: string
  priority: Priority
  createdAt: Date
}

/**
 * Takes a video in. Errors: `INVALID_VIDEO_URL`, `VALIDATION_ERROR` (webhook address, missing proxies),
 * `PLAN_UPGRADE_REQUIRED`, `QUOTA_EXCEEDED`. When it returns, the job is durable.
 */
export async function submitVideo(
  accept: AcceptJob,
  policy: SubmitPolicy,
  actor: Actor,
  request: SubmitVideo,
  jobId: string = newId(),
): Promise<SubmittedJob> {
  const videoId = parseVideoUrl(request.url)
  if (!videoId) throw new ServiceError('INVALID_VIDEO_URL')
  assertPlanAllows(actor, request)
  await assertRequestFits(policy, request)

  const createdAt = await accept({
    id: jobId,
    userId: actor.userId,
    apiKeyId: actor.apiKeyId,
    lane: request.priority,
    priority: request.priority,
    videoId,
    options: request.options,
    customInstructions: request.custom_instructions ?? null,
    useProxy: request.use_proxy ?? null,
    forceRefresh: request.force_refresh,
    webhookUrl: request.webhook_url ?? null,
    serviceName: request.service_name ?? null,
    agentName: request.agent_name ?? null,
    clientReference: request.client_reference ?? null,
    quota: isAdmin(actor) ? null : PLAN_TERMS[actor.plan].quota,
  })
  return { jobId, videoId, videoUrl: canonicalVideoUrl(videoId), priority: request.priority, createdAt }
}

async function assertRequestFits(policy: SubmitPolicy, request: SubmitVideo): Promise<void> {
  const issues = []
  const fault = request.webhook_url && (await policy.fetchWebhookUrlFault(request.webhook_url))
  if (fault) issues.push({ path: 'webhook_url', message: fault, code: 'invalid_webhook_url' })
  if (request.use_proxy === true && !policy.proxiesConfigured) {
    issues.push({ path: 'use_proxy', message: 'No proxies are configured.', code: 'no_proxies' })
  }
  if (issues.length > 0) throw validationError(issues)
}
