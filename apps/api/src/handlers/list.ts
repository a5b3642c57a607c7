import type { lists } from '@subtext/contracts'
import type { Handlers } from '../http/mount.ts'

export const listHandlers: Handlers<typeof lists> = {
  jobs: async (ctx, { query }, { actor }) => ({ jsonData: await ctx.readJobPage(actor, query) }),
}
