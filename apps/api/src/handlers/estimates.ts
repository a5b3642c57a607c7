import type { estimates } from '@subtext/contracts'
import { estimateBatch, estimateVideo } from '@subtext/core/estimates'
import type { Handlers } from '../http/mount.ts'

export const estimateHandlers: Handlers<typeof estimates> = {
  video: async (ctx, { body }, { actor, window }) => {
    const data = await estimateVideo(ctx, actor, body, window)
    ctx.metrics.countEstimate(data)
    return { data }
  },
  batch: async (ctx, { body }, { actor, window }) => {
    const data = await estimateBatch(ctx, actor, body, window)
    ctx.metrics.countEstimate(data)
    return { data }
  },
}
