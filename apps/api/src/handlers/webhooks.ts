import { validationError, type webhooks } from '@subtext/contracts'
import {
  describeWebhookSecrets,
  getDelivery,
  listAttempts,
  listDeliveries,
  redeliver,
  rotateOwnWebhookSecret,
  sendTestEvent,
} from '@subtext/core/webhooks'
import type { Handlers } from '../http/mount.ts'
import { deliveryPath, presentAttempt, presentDelivery, presentRotated, presentSecret } from '../presenters/webhook.ts'

export const webhookHandlers: Handlers<typeof webhooks> = {
  secret: async (ctx, _input, { actor }) => {
    const [current, ...former] = await describeWebhookSecrets(ctx, actor)
    return { data: presentSecret(current, former) }
  },
  rotateSecret: async (ctx, _input, { actor, resource }) => {
    const rotated = await rotateOwnWebhookSecret(ctx, actor, resource)
    // What is answered as data is kept for replays, in the clear; this is made anew from the sealed secret.
    return { jsonData: once(JSON.stringify(presentRotated(rotated))) }
  },
  deliveries: async (ctx, { query }, { actor }) => {
    const { job_id, job, ...terms } = query
    const { deliveries, total, limit, offset, nextOffset, nextCursor } = await listDeliveries(ctx, actor, {
      ...terms,
      jobId: oneJob(job_id, job),
    })
    return {
      data: {
        deliveries: deliveries.map(presentDelivery),
        pagination: {
          ...{ total, limit, offset, has_more: nextOffset !== null },
          ...{ next_offset: nextOffset, next_cursor: nextCursor },
        },
      },
    }
  },
  delivery: async (ctx, { params }, { actor }) => {
    const delivery = await getDelivery(ctx, actor, params.delivery_id)
    const attempts = await listAttempts(ctx, actor, delivery)
    return { data: { ...presentDelivery(delivery), attempts: attempts.map(presentAttempt) } }
  },
  redeliver: async (ctx, { params }, { actor }) => ({
    data: presentDelivery(await redeliver(ctx, actor, params.delivery_id)),
  }),
  test: async (ctx, { body }, { actor, resource }) => {
    const delivery = await sendTestEvent(ctx, actor, body.url, resource)
    return { headers: { Location: deliveryPath(delivery.id) }, data: presentDelivery(delivery) }
  },
}

/** The job that both names stand for. */
function oneJob(jobId: string | undefined, job: string | undefined): string | undefined {
  if (jobId !== undefined && job !== undefined && jobId.toLowerCase() !== job.toLowerCase()) {
    const message = '`job` is the same as `job_id`; send one of them.'
    throw validationError([{ path: 'query.job', code: 'conflicting_fields', message }])
  }
  return jobId ?? job
}

async function* once(text: string): AsyncIterable<string> {
  yield text
}
