import type { estimates } from '@subtext/contracts'
import { estimateBatch, estimateVideo } from '@subtext/core/estimates'
import type { Handlers } from '../http/mount.ts'

export const estimateHandlers: Handlers<typeof estimates> = {
  video: async (ctx, { body }, { actor, window }) => ({ data: await estimateVideo(ctx, actor, body, window) }),
  batch: async (ctx, { body }, { actor, window }) => ({ data: await estimateBatch(ctx, actor, body, window) }),
}
