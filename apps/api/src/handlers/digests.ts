import { type digests, ServiceError } from '@subtext/contracts'
import { createDigest, getDigest, type StoredDigest } from '@subtext/core/digests'
import type { Handlers } from '../http/mount.ts'
import { POLL_AGAIN } from '../http/poll-again.ts'
import { digestPath, presentDigest, toRenderableDigest } from '../presenters/digest.ts'
import { presentDigestDocument } from '../presenters/digest-document.ts'

export const digestHandlers: Handlers<typeof digests> = {
  create: async (ctx, { params, body }, { actor, resource }) => {
    const { id, batchId, status, createdAt } = await createDigest(ctx, actor, params.batch_id, body, resource)
    return {
      headers: { Location: digestPath(id) },
      data: { digest_id: id, batch_id: batchId, status, created_at: createdAt.toISOString() },
    }
  },
  get: async (ctx, { params, query }, { actor, abortSignal }) => {
    const digest = await getDigest(ctx, actor, params.digest_id)
    if (query.format === 'json') {
      const isOpen = digest.status === 'queued' || digest.status === 'processing'
      return { ...(isOpen && { headers: POLL_AGAIN }), data: presentDigest(digest) }
    }
    assertCompleted(digest)
    const renderable = { ...toRenderableDigest(digest), digest_id: digest.id }
    return presentDigestDocument(renderable, query.format, () =>
      ctx.exportDigestPdf(renderable, { account: actor.userId, signal: abortSignal() }),
    )
  },
}

const RETRY_AFTER_SECONDS = 2

function assertCompleted({ status, error }: StoredDigest): void {
  if (status === 'completed') return
  if (status === 'failed') throw new ServiceError(error?.code ?? 'INTERNAL_ERROR')
  throw new ServiceError('JOB_NOT_COMPLETED', {
    message: 'The digest is not completed yet.',
    details: { status, progress_percentage: 0 },
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}
