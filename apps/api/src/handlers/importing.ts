import type { imports } from '@subtext/contracts'
import { submitImport } from '@subtext/core/imports'
import type { Handlers } from '../http/mount.ts'
import { presentSubmittedJob, statusPath } from '../presenters/job.ts'

export const importHandlers: Handlers<typeof imports> = {
  importCaptions: async (ctx, { body }, { actor, resource, abortSignal }) => {
    const signal = abortSignal({ outlastsDraining: true })
    const job = await submitImport(ctx, actor, body, { signal, reserved: resource })
    return {
      headers: { Location: statusPath(job.jobId) },
      data: presentSubmittedJob(job, ctx.http.publicBaseUrl),
    }
  },
}
