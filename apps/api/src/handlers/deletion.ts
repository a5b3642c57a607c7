import type { deletion } from '@subtext/contracts'
import { deleteJob } from '@subtext/core/retention'
import type { Handlers } from '../http/mount.ts'

export const deletionHandlers: Handlers<typeof deletion> = {
  job: async (ctx, { params }, { actor }) => {
    await deleteJob(ctx, actor, params.job_id)
    return { empty: true }
  },
}
