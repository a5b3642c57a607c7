import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthEndpoint, sensitiveSessionMiddleware } from 'better-auth/api'
import { z } from 'zod'
import type { AccountsContext } from './context.ts'

/** Confirms the user of a session by password. The session then counts as just signed in. */
export const confirmWithPassword = (ctx: AccountsContext) =>
  ({
    id: 'subtext-confirm-password',
    endpoints: {
      verifyPassword: createAuthEndpoint(
        '/verify-password',
        { method: 'POST', body: z.object({ password: z.string() }), use: [sensitiveSessionMiddleware] },
        async (c) => {
          const { session, user } = c.context.session
          const identity = await c.context.internalAdapter.findCredentialAccount(user.id)
          const { password } = c.body
          const isRight = identity?.password
            ? await c.context.password.verify({ hash: identity.password, password })
            : false
          if (!isRight) throw new APIError('BAD_REQUEST', { code: 'INVALID_PASSWORD', message: 'Invalid password' })
          const now = ctx.clock()
          await ctx.db.prisma.session.updateMany({
            where: { id: session.id, userId: user.id },
            data: { authenticatedAt: now, updatedAt: now },
          })
          return c.json({ status: true })
        },
      ),
    },
  }) satisfies BetterAuthPlugin
