import type { library } from '@subtext/contracts'
import type { Handlers } from '../http/mount.ts'

export const libraryHandlers: Handlers<typeof library> = {
  search: async (ctx, { query }, { actor, abortSignal }) => ({
    data: await ctx.library.search(actor.userId, query, abortSignal()),
  }),
  mentions: async (ctx, { query }, { actor, abortSignal }) =>
    ctx.library.countMentions(actor.userId, query, abortSignal()),
}
