import { validationError, type webhooks } from '@subtext/contracts'
import {
  describeWebhookSecrets,
  getDelivery,
  listAttempts,
  listDeliveries,
  readSentBody,
  redeliver,
  rotateOwnWebhookSecret,
  sendTestEvent,
} from '@subtext/core/webhooks'
import type { Handlers } from '../http/mount.ts'
import { replyWithSecret } from '../http/reply.ts'
import { presentPage } from '../presenters/page.ts'
import {
  deliveryPath,
  presentAnsweredAttempt,
  presentDelivery,
  presentRotated,
  presentSecret,
} from '../presenters/webhook.ts'

export const webhookHandlers: Handlers<typeof webhooks> = {
  secret: async (ctx, _input, { actor }) => {
    const [current, ...former] = await describeWebhookSecrets(ctx, actor)
    return { data: presentSecret(current, former) }
  },
  rotateSecret: async (ctx, _input, { actor, resource }) => {
    const rotated = await rotateOwnWebhookSecret(ctx, actor, resource)
    // A replay decrypts the secret again.
    return replyWithSecret(presentRotated(rotated))
  },
  deliveries: async (ctx, { query }, { actor }) => {
    const { job_id, job, ...filter } = query
    const page = await listDeliveries(ctx, actor, { ...filter, jobId: selectJobId(job_id, job) })
    return { data: { deliveries: page.deliveries.map(presentDelivery), pagination: presentPage(page) } }
  },
  delivery: async (ctx, { params }, { actor }) => {
    const delivery = await getDelivery(ctx, actor, params.delivery_id)
    const [attempts, sent] = await Promise.all([listAttempts(ctx, actor, delivery), readSentBody(ctx, actor, delivery)])
    return {
      data: {
        ...presentDelivery(delivery),
        attempts: attempts.map(presentAnsweredAttempt),
        request_body: sent.text,
        request_bytes: sent.bytes,
      },
    }
  },
  redeliver: async (ctx, { params }, { actor }) => ({
    data: presentDelivery(await redeliver(ctx, actor, params.delivery_id)),
  }),
  test: async (ctx, { body }, { actor, resource }) => {
    const delivery = await sendTestEvent(ctx, actor, body.url, resource)
    return { headers: { Location: deliveryPath(delivery.id) }, data: presentDelivery(delivery) }
  },
}

/** Returns the job ID from either of the parameter's two names. Throws `VALIDATION_ERROR` when they differ. */
function selectJobId(jobId: string | undefined, job: string | undefined): string | undefined {
  if (jobId !== undefined && job !== undefined && jobId.toLowerCase() !== job.toLowerCase()) {
    const message = '`job` and `job_id` are two names for the same filter. Send only one of them.'
    throw validationError([{ path: 'query.job', code: 'conflicting_fields', message }])
  }
  return jobId ?? job
}
